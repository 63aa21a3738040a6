import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import PostalMime, { type Email } from 'postal-mime';
import { joined } from '../../../core/bytes.ts';

/*
 * Parses a mail with postal-mime: no dependencies, no Node streams, limits on headers and nesting that are tested, and the character sets
 * of real mails. It makes a few objects of each line, so that a mail of many short lines takes minutes and all memory. Here it is given
 * stretches of lines that can hold no boundary, and lets others have their turn between them. This uses members that its types do not
 * show; with a version that has others, mails are read line by line again.
 */

interface Line {
  bytes: Uint8Array;
  done: boolean;
}
/** What collects the content of a part. */
interface Decoder {
  chunks: (Uint8Array | ArrayBuffer | string)[];
  flushRemainder?(): void;
  flushBuffer?(): void;
  finalize(): Promise<ArrayBuffer>;
}
/** The members of the parser that are used here. */
interface Reader {
  av: Uint8Array<ArrayBuffer>;
  readPos: number;
  currentNode: {
    state: string;
    contentType: { parsed: { params: { charset?: string } } };
    contentTransferEncoding: { encoding: string };
    contentDecoder: Decoder | null;
  };
  /** Called once for each part, when all are read. */
  isInlineTextNode(node: { content: ArrayBuffer | null }): boolean;
  readLine(): Line;
  processLine(line: Uint8Array, isLast: boolean): Promise<void>;
}

/** Also how much is parsed before others get their turn. */
const maxStretch = 256_000;
/** A line costs as much as so many bytes, and one that may begin a part as much as these. */
const costOfLine = 200;
const costOfPart = 20_000;
/** Lines of quoted-printable text join in a way of their own. */
const isByLine = ({ state, contentTransferEncoding }: Reader['currentNode']) =>
  state !== 'body' || contentTransferEncoding.encoding === 'quoted-printable';

/** How much of a mail is its text. More would be decoded and converted at once, and is kept as files instead. */
const mostText = { parts: 100, bytes: 2_000_000 };

const { readLine, processLine, isInlineTextNode } = PostalMime.prototype as unknown as Reader;
const [lineFeed, carriageReturn, dash] = [0x0a, 0x0d, 0x2d];

/** Whether a line begins as a boundary does. */
const isBoundary = (bytes: Uint8Array, start = 0) => bytes[start] === dash && bytes[start + 1] === dash;

/** The lines up to the next that begins as a boundary does, as one. */
function readStretch(this: Reader): Line {
  const { av, readPos: start } = this;
  if (isByLine(this.currentNode) || isBoundary(av, start)) return readLine.call(this);
  const bytes = Buffer.from(av.buffer, av.byteOffset + start, Math.min(av.length - start, maxStretch));
  const boundary = bytes.indexOf('\n--');
  const isWhole = boundary < 0 && start + bytes.length >= av.length;
  const end =
    boundary >= 0
      ? boundary
      : isWhole && bytes.at(-1) !== lineFeed
        ? bytes.length
        : bytes.lastIndexOf(lineFeed);
  // A line that is longer than a stretch.
  if (end < 0) return readLine.call(this);
  this.readPos = Math.min(start + end + 1, av.length);
  const length = bytes[end - 1] === carriageReturn ? end - 1 : end;
  return { bytes: new Uint8Array(av.buffer, av.byteOffset + start, length), done: this.readPos >= av.length };
}

const lineEnd = Buffer.from('\n');

/** What old programs write without saying so. */
const unnamed = 'windows-1252';

/** Lets others have their turn also while the content of a part is put together, whose character set is then known. */
function joinInTurns({ contentDecoder: decoder, contentType }: Reader['currentNode']): void {
  if (!decoder?.chunks || Object.hasOwn(decoder, 'finalize')) return;
  decoder.finalize = async () => {
    decoder.flushRemainder?.();
    decoder.flushBuffer?.();
    const parts = decoder.chunks.map((chunk) =>
      typeof chunk === 'string' ? lineEnd : new Uint8Array(chunk),
    );
    const content = await joined(parts);
    const { params } = contentType.parsed;
    // Programs also write other letters than those of ASCII under its name.
    if (/^(us-)?ascii$/i.test(params.charset ?? 'ascii'))
      params.charset = isUtf8(content) ? 'utf-8' : unnamed;
    return content.buffer;
  };
}

/** Headers in UTF-8, as the parser reads them. Old programs write letters as they are, in a character set of their own. */
function withHeadersInUtf8(raw: Uint8Array): Uint8Array {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const end = [bytes.indexOf('\r\n\r\n'), bytes.indexOf('\n\n')].filter((at) => at >= 0);
  const headers = bytes.subarray(0, Math.min(bytes.length, ...end));
  if (isUtf8(headers)) return raw;
  return Buffer.concat([
    Buffer.from(new TextDecoder(unnamed).decode(headers)),
    bytes.subarray(headers.length),
  ]);
}

/** @param limits.headerBytes of all parts together */
export function parseMail(mail: Uint8Array, limits: { headerBytes: number; depth: number }): Promise<Email> {
  const parser = new PostalMime({
    maxHeadersSize: limits.headerBytes,
    maxNestingDepth: limits.depth,
    forceRfc822Attachments: true,
  });
  let sinceBreak = 0;
  const text = { parts: 0, bytes: 0 };
  Object.assign(parser, {
    readLine: readStretch,
    isInlineTextNode(this: Reader, node: Parameters<Reader['isInlineTextNode']>[0]) {
      if (!isInlineTextNode.call(this, node)) return false;
      text.parts += 1;
      text.bytes += node.content?.byteLength ?? 0;
      return text.parts <= mostText.parts && text.bytes <= mostText.bytes;
    },
    async processLine(this: Reader, line: Uint8Array, isLast: boolean) {
      sinceBreak += line.length + (isBoundary(line) ? costOfPart : costOfLine);
      if (sinceBreak > maxStretch) {
        sinceBreak = 0;
        await setImmediate();
      }
      await processLine.call(this, line, isLast);
      joinInTurns(this.currentNode);
    },
  });
  const raw = withHeadersInUtf8(mail);
  // Of a part of a buffer, the parser makes a copy.
  return parser.parse(raw.byteLength === raw.buffer.byteLength ? (raw.buffer as ArrayBuffer) : raw);
}
