/** @jsxImportSource hono/jsx */
import type { NamedFile } from '../../../files/lines.ts';
import { sentences } from '../../sentences/sentences.ts';

interface Props {
  files: readonly NamedFile[];
  /** Origins whose pictures are shown in place: the agent's browser asks no other. */
  shownFrom: readonly string[];
}

const most = { width: 320, height: 240 };

/** Links of files, with the pictures in place. */
export function Files({ files, shownFrom }: Props) {
  if (files.length === 0) return null;
  return (
    <ul class="files" aria-label={sentences.ticket.files}>
      {files.map((file) => (
        <li>
          <a href={file.url} target="_blank" rel="noreferrer noopener" title={file.name}>
            {file.width && file.height && shownFrom.includes(new URL(file.url).origin) ? (
              <Picture name={file.name} url={file.url} width={file.width} height={file.height} />
            ) : null}
            <span class="file">
              <span dir="auto">{file.name}</span> <small>{file.size}</small>
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}

function Picture({ name, url, width, height }: Required<Omit<NamedFile, 'size'>>) {
  const scale = Math.min(1, most.width / width, most.height / height);
  return (
    <img
      src={url}
      alt={name}
      width={Math.max(1, Math.round(width * scale))}
      height={Math.max(1, Math.round(height * scale))}
      loading="lazy"
      decoding="async"
      referrerpolicy="no-referrer"
    />
  );
}
