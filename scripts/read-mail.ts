import PostalMime, { decodeWords } from 'postal-mime';

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

/** Reads a mail, of several parts or of one. */
export async function readMail({ to, text: raw }: { to: string[]; text: string }): Promise<ReadMail> {
  const mail = await PostalMime.parse(raw, { attachmentEncoding: 'base64' });
  const headers = mail.headers.map(({ key, value }) => ({ key, value: decodeWords(value) }));
  const [text, html] = [mail.text, mail.html].map((part) => part?.replaceAll('\r\n', '\n'));
  const withPictures = html?.replaceAll(/cid:([^"'\s>]+)/g, (link, id: string) => {
    const picture = mail.attachments.find(({ contentId }) => contentId === `<${id}>`);
    return picture ? `data:${picture.mimeType};base64,${picture.content as string}` : link;
  });
  return {
    to,
    header: (name) => headers.find(({ key }) => key === name.toLowerCase())?.value,
    text: text ?? '',
    html: withPictures ?? null,
    all: [...headers.map(({ key, value }) => `${key}: ${value}`), text, html].join('\n'),
  };
}
