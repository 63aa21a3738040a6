import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const made: string[] = [];
process.once('exit', () => made.forEach((dir) => rmSync(dir, { recursive: true, force: true })));

/** Creates a folder with these files, by their relative paths. It is deleted when the process ends. */
export function makeArticleFolder(files: Record<string, string | Uint8Array>): string {
  const dir = mkdtempSync(join(tmpdir(), 'deskside-articles-'));
  made.push(dir);
  for (const [path, content] of Object.entries(files)) writeArticle(dir, path, content);
  return dir;
}

export function writeArticle(dir: string, path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), content);
}

/** The smallest PNG: one pixel. */
export const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Articles of a shop: two in English, one of them in German too, one in German alone. */
export const shopArticles = {
  'en/returns.md':
    '---\npinned: 1\n---\n# Returning a parcel\n\nSend it back within **30 days**.\n\n![A box](box.png)\n\nSee [delivery](delivery.md).\n',
  'en/delivery.md': '# Delivery times\n\nWe send kettles on the same day.\n',
  'de/returns.md': '# Rücksendung\n\nSenden Sie es innerhalb von 30 Tagen zurück.\n',
  'de/vat.md': '# Mehrwertsteuer\n\nDie Rechnung liegt bei.\n',
  'en/box.png': onePixel,
};
