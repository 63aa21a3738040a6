import { type Address, addressParser, type Attachment, type Email } from 'postal-mime';
import { readBounce } from './bounces.ts';
import { takeWrapping, unflow } from './flowed.ts';
import { type Headers, headersOf, type IncomingMail, UnreadableMail } from './incoming-mail.ts';
import { htmlToMarkedText, isTooMuchHtml, withoutMarks, withoutPictures } from './html-text.ts';
import { isAutomatic, isList } from './kinds.ts';
import { parseMail } from './mail-parser.ts';
import { newWords } from './new-words.ts';
import { forwardPrefixes } from './phrases.ts';

/*
 * Reads a mail as it came over the wire. It knows no ticket, store or network.
 *
 * The limits below bound what one mail can cost. What exceeds them is refused with a reason, since a part of a mail would be taken for
 * the whole.
 */

/** More than those of 15 MB of files, as they are written in mails. */
const maxLines = 225_000;
const maxHeaderBytes = 256_000;
const maxParts = 1_000;
const maxDepth = 50;
const maxText = 500_000;
/** In a longer text, nobody looks for what it quotes: that would take long. */
const maxSearched = 200_000;
const maxNames = 200;

/** Whether bytes have a text more often than so many times. */
function hasMoreThan(raw: Buffer, text: string, limit: number): boolean {
  let count = 0;
  for (let at = raw.indexOf(text); at >= 0 && count <= limit; at = raw.indexOf(text, at + text.length))
    count += 1;
  return count > limit;
}

/** Refuses what would cost much before the parser sees it. */
function refuseBombs(raw: Buffer): void {
  if (hasMoreThan(raw, '\n', maxLines)) throw new UnreadableMail(`It has more than ${maxLines} lines.`);
  if (hasMoreThan(raw, '\n--', maxParts))
    throw new UnreadableMail(`It has more than ${maxParts} parts, or lines that begin as a part does.`);
}

async function parse(raw: Buffer): Promise<Email> {
  try {
    return await parseMail(raw, { headerBytes: maxHeaderBytes, depth: maxDepth });
  } catch (error) {
    throw new UnreadableMail(
      `It is no mail that can be parsed: ${error instanceof Error ? error.message : 'unknown'}`,
      error,
    );
  }
}

const idsIn = (value: string | undefined): string[] =>
  [...(value ?? '').matchAll(/<([^<>\s]{1,998})>/g)].flatMap(([, id]) => id ?? []);

const mailboxes = (list: readonly Address[]): { name: string; address: string }[] =>
  list.flatMap((each) => (each.address === undefined ? each.group : [each]));

/** One line without control characters. */
const oneLine = (text: string, length: number): string =>
  text
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, length);

/**
 * How many addresses a mail says it is from. SECURITY: with several, a mail server may have checked another one than is read
 * here.
 */
const sendersOf = (headers: Headers): number =>
  headers
    .all('From')
    .slice(0, 20)
    .flatMap((value) => mailboxes(addressParser(value.slice(0, 2_000))))
    .filter(({ address }) => address.includes('@')).length;

function recipientsOf(headers: Headers, email: Email): string[] {
  const delivered = ['Delivered-To', 'X-Original-To', 'Envelope-To', 'X-Envelope-To', 'X-Delivered-To']
    .flatMap((name) => headers.all(name).slice(0, 20))
    .flatMap((value) => mailboxes(addressParser(value.slice(0, 2_000))));
  const addressed = mailboxes([...(email.to ?? []), ...(email.cc ?? [])]);
  const addresses = [...delivered, ...addressed]
    .map(({ address }) => address.trim())
    .filter((address) => address.includes('@'));
  return [...new Set(addresses)].slice(0, maxNames);
}

/** The body as it came: for a report whose parts are written wrongly, as some servers do. */
function bodyOf(raw: Buffer): string {
  const text = raw
    .subarray(0, maxHeaderBytes + 50_000)
    .toString()
    .replaceAll('\r\n', '\n');
  const end = text.indexOf('\n\n');
  return end < 0 ? '' : text.slice(end + 2, end + 50_000);
}

/** The text of a mail with the marks of its HTML. The HTML comes first: it tells what was quoted. */
function markedText(email: Email, readPlain: (text: string) => string): string {
  const { text = '' } = email;
  const html = withoutPictures(email.html ?? '');
  const isTooMuch = isTooMuchHtml(html);
  if (isTooMuch && text.trim() === '') throw new UnreadableMail('Its HTML is too long or too deep.');
  if (html !== '' && !isTooMuch) {
    const marked = htmlToMarkedText(html);
    if (marked.trim() !== '') return marked;
  }
  if (text.length > maxText) throw new UnreadableMail('Its text is too long.');
  return readPlain(withoutMarks(text.replaceAll('\r\n', '\n').replaceAll('\u00A0', ' ')));
}

const typesWithoutContent = new Set([
  'application/pgp-signature',
  'application/pkcs7-signature',
  'application/x-pkcs7-signature',
  // The same text once more, for programs that understand it.
  'text/vnd.google.email-reaction+json',
  'text/x-amp-html',
  'text/watch-html',
]);

const contentOf = ({ content }: Attachment): Uint8Array =>
  typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content);

const idOf = (attachment: Attachment): string => (attachment.contentId ?? '').replaceAll(/[<>]/g, '');

const extensions: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/heic': 'heic',
  'message/rfc822': 'eml',
  'application/pdf': 'pdf',
  'text/calendar': 'ics',
  'text/plain': 'txt',
  'text/html': 'html',
};
/** What agents read of a file in which Outlook has packed all files of a mail. */
const packed = 'winmail.dat (the files of the mail, in a format of Outlook: ask for them again)';
function nameOf(attachment: Attachment, index: number): string {
  if (/^application\/(vnd\.)?ms-tnef$/.test(attachment.mimeType)) return packed;
  const name = oneLine(attachment.filename ?? '', 200);
  if (name.toLowerCase() === 'winmail.dat') return packed;
  return (
    name ||
    `${attachment.mimeType.split('/', 1)[0] || 'file'}-${index + 1}.${extensions[attachment.mimeType] ?? 'bin'}`
  );
}

/** `marks.picture` around an id. */
const pictures = /\uFDD4([^\uFDD4]*)\uFDD4/g;

/**
 * @param raw may be changed: a copy of a large mail takes time
 * @throws {UnreadableMail} with a reason in plain words, for the operator
 */
export async function readMail(raw: Uint8Array): Promise<IncomingMail> {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  refuseBombs(bytes);
  const wrapping = takeWrapping(bytes);
  const email = await parse(bytes);
  const headers = headersOf(email.headers);
  const marked = markedText(email, (text) => (wrapping.flowed ? unflow(text, wrapping) : text));

  const from = sendersOf(headers) > 1 ? undefined : mailboxes(email.from ? [email.from] : [])[0];
  const subject = oneLine(email.subject ?? '', 1_000);
  const recipients = recipientsOf(headers, email);
  const facts = {
    headers,
    from:
      from?.address.includes('@') || from?.name
        ? { name: oneLine(from.name, 200), address: from.address.trim() }
        : null,
    subject,
    text: withoutMarks(marked) || bodyOf(bytes),
    parts: email.attachments.map((each) => ({
      type: each.mimeType,
      text: () => new TextDecoder().decode(contentOf(each).slice(0, 50_000)),
    })),
  };
  const bounce = readBounce(facts);
  const kind = bounce ? 'bounce' : isAutomatic(facts) ? 'automatic' : isList(facts) ? 'list' : 'personal';

  const found =
    marked.length > maxSearched ? marked : newWords(marked, { isForward: isForwardSubject(subject) });
  const files = email.attachments.map((each, index) => ({
    id: idOf(each),
    name: nameOf(each, index),
    type: each.mimeType,
    content: contentOf(each),
  }));
  const names = new Map(files.map(({ id, name }) => [id, name]));
  const placed = (text: string) =>
    text.replaceAll(pictures, (_, id: string) => (names.has(id) ? `[${names.get(id)}]` : ''));
  const picturesIn = (text: string) => new Set([...text.matchAll(pictures)].map(([, id]) => id ?? ''));
  const [shown, anywhere] = [picturesIn(found), picturesIn(marked)];
  const attachments = files
    .filter(({ id, type }) => !typesWithoutContent.has(type) && (!anywhere.has(id) || shown.has(id)))
    .map(({ id, ...file }) => file);

  return {
    messageId: idsIn(email.messageId)[0] ?? null,
    references: [...new Set([...idsIn(email.inReplyTo), ...idsIn(email.references).reverse()])].slice(
      0,
      maxNames,
    ),
    from: facts.from?.address.includes('@') ? facts.from : null,
    recipients,
    subject,
    words: withoutMarks(placed(found)).trim(),
    whole: withoutMarks(placed(marked)).trim(),
    attachments,
    authentication: headers.all('Authentication-Results').slice(0, 20),
    kind,
    bounce,
  };
}

/** Whether the sender forwards a mail to us. Its text is then new, though it has the form of history. */
const isForwardSubject = (subject: string): boolean =>
  forwardPrefixes.some((prefix) => subject.toLowerCase().startsWith(prefix));
