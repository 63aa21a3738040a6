/** How pictures begin that every browser shows, and that carry no script. */
const pictures: readonly [type: string, ...begins: [at: number, bytes: string][]][] = [
  ['image/png', [0, '\x89PNG\r\n\x1a\n']],
  ['image/jpeg', [0, '\xff\xd8\xff']],
  ['image/gif', [0, 'GIF8']],
  ['image/webp', [0, 'RIFF'], [8, 'WEBP']],
];

/** The media type of a picture by its first bytes; null for all else, which is only downloaded. */
export function pictureType(head: Buffer): string | null {
  const text = head.toString('latin1');
  const found = pictures.find(([, ...begins]) => begins.every(([at, bytes]) => text.startsWith(bytes, at)));
  return found?.[0] ?? null;
}
