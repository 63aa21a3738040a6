import { fileLinkPath, type MessageFile } from '../../../shared/contract/files.ts';
import type { Links } from './links.ts';

/*
 * The lines by which agents learn of files, such as
 * `File: photo.jpg, 1.2 MB, 1280 × 960, https://support.example.com/f/…/photo.jpg`. The same lines are read again when a
 * customer sees the message, so they show its files for as long as the service has it.
 */

const facts =
  /^File: (?<name>.+), (?<count>\d+(?:\.\d)?) (?<unit>bytes|kB|MB|GB)(?:, (?<width>\d{1,6}) × (?<height>\d{1,6}))?, /
    .source;
const line = new RegExp(`${facts}https?:\\/\\/\\S+\\/f\\/(?<token>[\\w-]{22})\\/\\S*$`);

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
  return `File: ${file.name}, ${sizeText(file.size)}, ${pixels}${url}`;
}

function factsIn({ name, count, unit, width, height }: Record<string, string>): Omit<MessageFile, 'url'> {
  return {
    name: name!,
    size: Math.round(Number(count) * units[unit as Unit]),
    ...(width && height && { width: Number(width), height: Number(height) }),
  };
}

/** The files that these lines name. Links lead to where this BFF serves files now, whatever host a line names. */
export const readLines = (lines: readonly string[], { urlOf }: Pick<Links, 'urlOf'>): MessageFile[] =>
  lines.flatMap((text) => {
    // Most lines are of other kinds.
    const found = text.includes(`${fileLinkPath}/`) ? line.exec(text)?.groups : undefined;
    if (!found) return [];
    return [{ ...factsIn(found), url: urlOf(found['token']!, found['name']!) }];
  });

const foreignLine = new RegExp(`${facts}(?<url>https?:\\/\\/\\S+)$`);

/** The file that a line of another program names, such as one of an agent; null for any other line. */
export function readForeignLine(text: string): MessageFile | null {
  const found = foreignLine.exec(text)?.groups;
  return found ? { ...factsIn(found), url: found['url']! } : null;
}
