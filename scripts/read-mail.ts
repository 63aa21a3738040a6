/** A mail as it came over the wire, read as a mail program reads it. */
export interface ReadMail {
  to: string[];
  header(name: string): string | undefined;
  /** The part in plain text, decoded. */
  text: string;
  /** The part in HTML, with its pictures as `data:` addresses. Null if it has none. */
  html: string | null;
  /** All texts of it, decoded. */
  all: string;
}

interface Part {
  head: string;
  bytes: Buffer;
}

/** A part without parts of its own, or those that it has. */
function partsOf(raw: string): Part[] {
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const boundary = /boundary="?([^";\r\n]+)/i.exec(head)?.[1];
  const body = rest.join('\r\n\r\n');
  return boundary
    ? body
        .split(`--${boundary}`)
        .slice(1, -1)
        .flatMap((part) => partsOf(part.replace(/^\r\n/, '')))
    : [{ head, bytes: decoded(head, body) }];
}

function decoded(head: string, body: string): Buffer {
  const coding = /^content-transfer-encoding: *(\S+)/im.exec(head)?.[1]?.toLowerCase();
  if (coding === 'base64') return Buffer.from(body, 'base64');
  if (coding !== 'quoted-printable') return Buffer.from(body);
  const characters = body
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(characters, 'latin1');
}

const typeOf = ({ head }: Part) => /^content-type: *([\w/+.-]+)/im.exec(head)?.[1] ?? 'text/plain';
const textOf = ({ bytes }: Part) => bytes.toString().replaceAll('\r\n', '\n');

/** The HTML with its attached pictures inside it. */
const withPictures = (html: string, parts: readonly Part[]) =>
  html.replaceAll(/cid:([^"'\s>]+)/g, (link, id: string) => {
    const part = parts.find(({ head }) => head.includes(`<${id}>`));
    return part ? `data:${typeOf(part)};base64,${part.bytes.toString('base64')}` : link;
  });

const word = /=\?utf-8\?([qb])\?([^?]*)\?=\s*/gi;
const decodedHeader = (value: string) =>
  value.replaceAll(word, (_, coding: string, text: string) =>
    coding.toLowerCase() === 'b'
      ? Buffer.from(text, 'base64').toString()
      : Buffer.from(
          text
            .replaceAll('_', ' ')
            .replaceAll(/=([0-9A-F]{2})/g, (__, hex: string) => String.fromCharCode(parseInt(hex, 16))),
          'latin1',
        ).toString(),
  );

/** Reads a mail, of several parts or of one. */
export function readMail({ to, text: raw }: { to: string[]; text: string }): ReadMail {
  const [head = ''] = raw.split('\r\n\r\n');
  const parts = partsOf(raw);
  const texts = parts.filter((part) => typeOf(part).startsWith('text/')).map(textOf);
  const page = parts.find((part) => typeOf(part) === 'text/html');
  return {
    to,
    header(name) {
      const value = new RegExp(`^${name}: *(.*(?:\r\n[ \t].*)*)`, 'im').exec(head)?.[1];
      return value === undefined ? undefined : decodedHeader(value.replaceAll(/\r\n[ \t]/g, ' ').trim());
    },
    text: texts[0] ?? '',
    html: page ? withPictures(textOf(page), parts) : null,
    all: `${decodedHeader(head)}\n${texts.join('\n')}`,
  };
}
