import type { MessageFile } from '../../../shared/contract/files.ts';
import type { Sizes } from '../files/sizes.ts';

interface FileCardProps {
  file: MessageFile;
  sizes: Sizes;
}

const ending = /\.([a-z0-9]{1,4})$/i;

/** A file that is not shown in place. It opens in a new tab once it is sent. */
export function FileCard({ file: { name, size, url }, sizes }: FileCardProps) {
  const content = (
    <>
      <span class="file-kind" aria-hidden="true">
        {ending.exec(name)?.[1]}
      </span>
      <span class="file-facts">
        <span class="file-name" dir="auto">
          {name}
        </span>
        {size > 0 && <span class="file-size">{sizes.text(size)}</span>}
      </span>
    </>
  );
  // One that is still in this browser.
  if (url.startsWith('blob:')) return <p class="file-card">{content}</p>;
  return (
    <a class="file-card" href={url} title={name} target="_blank" rel="noreferrer noopener">
      {content}
    </a>
  );
}
