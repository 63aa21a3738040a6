/** @jsxImportSource hono/jsx */
import type { NamedFile } from '../../../files/lines.ts';
import { sentences } from '../../sentences/sentences.ts';

interface Props {
  files: readonly NamedFile[];
  /**
   * Origins whose pictures are shown in place: the agent's browser asks no other. SECURITY: anybody who can write to a
   * ticket can write such a line, so a link to any other host says where it leads.
   */
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
          <File file={file} isKnown={shownFrom.includes(new URL(file.url).origin)} />
        </li>
      ))}
    </ul>
  );
}

function File({ file, isKnown }: { file: NamedFile; isKnown: boolean }) {
  const { name, size, url, width, height } = file;
  return (
    <a href={url} target="_blank" rel="noreferrer noopener" title={name}>
      {isKnown && width && height ? <Picture name={name} url={url} width={width} height={height} /> : null}
      <span class="file">
        <span dir="auto">{name}</span> <small>{size}</small>
        {isKnown ? null : <small dir="ltr"> {new URL(url).host}</small>}
      </span>
    </a>
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
