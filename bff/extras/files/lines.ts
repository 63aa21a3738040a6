import { fileLabel, type MessageFile } from '../../../shared/contract/files.ts';
import type { Links } from './links.ts';

/*
 * The lines by which agents learn of files, such as
 * `File: photo.jpg, 1.2 MB, 1280 × 960, https://support.example.com/f/…/photo.jpg`. The same lines are read again when a
 * customer sees the message, so they show its files for as long as the service has it.
 */

const facts =
  /^File: (?<name>.+), (?<count>\d{1,5}(?:\.\d)?) (?<unit>bytes|kB|MB|GB)(?:, (?<width>\d{1,6}) × (?<height>\d{1,6}))?,$/;
const ownLink = /^https?:.*\/f\/(?<token>[\w-]{22})\/[^/]*$/;

const units = { bytes: 1, kB: 1e3, MB: 1e6, GB: 1e9 } as const;
type Unit = keyof typeof units;

function sizeText(bytes: number): string {
  const [unit] = (Object.entries(units) as [Unit, number][]).findLast(([, of]) => bytes >= of) ?? ['bytes'];
  const count = bytes / units[unit];
  return `${count < 10 && unit !== 'bytes' ? count.toFixed(1) : Math.round(count)} ${unit}`;
}

/** @param url its link */
export function writeLine(file: Omit<MessageFile, 'url'>, url: string): string {
  const pixels = file.width && file.height ? `${file.width} × ${file.height}, ` : '';
  return `${fileLabel}: ${file.name}, ${sizeText(file.size)}, ${pixels}${url}`;
}

/** The file that a line names, and its link as it is there. Null for a line of another kind. */
export function readLine(text: string): MessageFile | null {
  const end = text.lastIndexOf(' ');
  const found = facts.exec(text.slice(0, end))?.groups;
  const url = text.slice(end + 1);
  if (!found || !/^https?:/.test(url)) return null;
  const { name, count, unit, width, height } = found;
  return {
    name: name!,
    size: Math.round(Number(count) * units[unit as Unit]),
    url,
    ...(width && height && { width: Number(width), height: Number(height) }),
  };
}

/** The files that these lines name. Links lead to where this BFF serves files now, whatever host a line names. */
export const readLines = (lines: readonly string[], { urlOf }: Pick<Links, 'urlOf'>): MessageFile[] =>
  lines.flatMap((text) => {
    const file = readLine(text);
    const token = file && ownLink.exec(file.url)?.groups!['token'];
    return token ? [{ ...file, url: urlOf(token, file.name) }] : [];
  });
