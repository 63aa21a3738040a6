/*
 * The lines by which a text names files, such as
 * `File: photo.jpg, 1.2 MB, 1280 × 960, https://support.example.com/f/…/photo.jpg`. Clients of the API write them below
 * a customer's text, and the desk below an answer.
 */

/** A file that a text names. */
export interface NamedFile {
  name: string;
  /** Such as “1.2 MB”. */
  size: string;
  url: string;
  /** Of a picture. */
  width?: number;
  height?: number;
}

const line =
  /^File: (?<name>.+), (?<size>\d+(?:\.\d)? (?:bytes|kB|MB|GB))(?:, (?<width>\d{1,6}) × (?<height>\d{1,6}))?, (?<url>https?:\/\/\S+)$/;

const units = [
  [1e9, 'GB'],
  [1e6, 'MB'],
  [1e3, 'kB'],
  [1, 'bytes'],
] as const;

export function sizeText(bytes: number): string {
  const [of, unit] = units.find(([least]) => bytes >= least) ?? units[3];
  const count = bytes / of;
  return `${count < 10 && of > 1 ? count.toFixed(1) : Math.round(count)} ${unit}`;
}

export function writeLine({ name, size, url, width, height }: NamedFile): string {
  return ['File: ' + name, size, ...(width && height ? [`${width} × ${height}`] : []), url].join(', ');
}

/** The file that a line names; null for any other line. */
export function readLine(text: string): NamedFile | null {
  const found = line.exec(text)?.groups;
  if (!found || !URL.canParse(found['url']!)) return null;
  const { name, size, url, width, height } = found;
  return {
    name: name!,
    size: size!,
    url: url!,
    ...(width && height && { width: Number(width), height: Number(height) }),
  };
}

/** An agent's text, and the files that its last lines name. */
export function splitFiles(body: string): { text: string; files: NamedFile[] } {
  const lines = body.trimEnd().split('\n');
  const files: NamedFile[] = [];
  for (let file = readLine(lines.at(-1)!); file; file = readLine(lines.at(-1) ?? '')) {
    files.unshift(file);
    lines.pop();
  }
  return files.length === 0 ? { text: body, files } : { text: lines.join('\n').trimEnd(), files };
}
