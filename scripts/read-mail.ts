/** A mail as it came over the wire, read as a mail program reads it. */
export interface ReadMail {
  to: string[];
  header(name: string): string | undefined;
  /** The part in plain text, decoded. */
  text: string;
  /** All of it, both parts decoded. */
  all: string;
}

function decoded(raw: string): string {
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const body = rest.join('\r\n\r\n');
  const coding = /^content-transfer-encoding: *(\S+)/im.exec(head)?.[1]?.toLowerCase();
  if (coding === 'base64') return Buffer.from(body, 'base64').toString();
  if (coding !== 'quoted-printable') return body.replaceAll('\r\n', '\n');
  const bytes = body
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString().replaceAll('\r\n', '\n');
}

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

/** Reads a mail of two parts, or of one. */
export function readMail({ to, text: raw }: { to: string[]; text: string }): ReadMail {
  const [head = ''] = raw.split('\r\n\r\n');
  const boundary = /boundary="?([^";\r\n]+)/i.exec(head)?.[1];
  const parts = boundary ? raw.split(`--${boundary}`).slice(1, -1) : [raw];
  const texts = parts.map((part) => decoded(part.replace(/^\r\n/, '')));
  return {
    to,
    header(name) {
      const value = new RegExp(`^${name}: *(.*(?:\r\n[ \t].*)*)`, 'im').exec(head)?.[1];
      return value === undefined ? undefined : decodedHeader(value.replaceAll(/\r\n[ \t]/g, ' ').trim());
    },
    text: texts[0] ?? '',
    all: `${decodedHeader(head)}\n${texts.join('\n')}`,
  };
}
