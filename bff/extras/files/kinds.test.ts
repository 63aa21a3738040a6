import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { typeOf } from './kinds.ts';
import { pngOf, sample } from './testing/upload.ts';

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'kinds-'))));
afterAll(() => rmSync(folder, { recursive: true }));

/** An archive with one entry that is stored as it is. */
const archive = (entry: string, content: string) => {
  const header = Buffer.alloc(30);
  header.write('PK\x03\x04', 'latin1');
  header.writeUInt32LE(content.length, 18);
  header.writeUInt32LE(content.length, 22);
  header.writeUInt16LE(entry.length, 26);
  return Buffer.concat([header, Buffer.from(entry + content)]);
};

it.each([
  ['a photo named otherwise', sample('DSCN0010.jpg'), 'a.png', 'image/jpeg'],
  ['a photo of an iPhone', sample('samplefilehub.heif'), 'a.jpg', 'image/heic'],
  ['a picture', pngOf(1, 1), 'a', 'image/png'],
  ['a table of a German Excel', Buffer.from('Stra\xdfe;Gr\xf6\xdfe\r\n', 'latin1'), 'a.csv', 'text/csv'],
  ['a text in UTF-16', Buffer.from('\ufeffGröße', 'utf16le'), 'a.txt', 'text/plain'],
  ['a text that begins as a picture does', Buffer.from('BMW, red, scratched'), 'a.txt', 'text/plain'],
  ['a text that begins as a program does', Buffer.from('MZ is a callsign'), 'a.md', 'text/markdown'],
  ['a text with an unusual ending', Buffer.from('= Title ='), 'a.xwiki', 'text/plain'],
  ['JSON', Buffer.from('{"a": 1}'), 'a.json', 'application/json'],
  ['a page', Buffer.from('\ufeff <!-- x --> <!DOCTYPE html>'), 'a.txt', 'text/html'],
  ['a drawing', Buffer.from('<svg onload="x()"/>'), 'a.png', 'image/svg+xml'],
  ['a PDF of plain characters', Buffer.from('%PDF-1.4\n1 0 obj'), 'a.txt', 'application/pdf'],
  [
    'a letter of OpenOffice',
    archive('mimetype', 'application/vnd.oasis.opendocument.text'),
    'a',
    'application/vnd.oasis.opendocument.text',
  ],
  ['an archive', archive('a.txt', 'hello'), 'a.docx', 'application/zip'],
  [
    'an old letter',
    Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]),
    'a.doc',
    'application/msword',
  ],
  [
    'an old file of an unknown program',
    Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]),
    'a.msi',
    'application/x-cfb',
  ],
  ['a program', Buffer.from('MZ\x90\0\x03\0\0\0', 'latin1'), 'a.txt', 'application/x-msdownload'],
  ['bytes of no format', Buffer.from([1, 2, 3, 0]), 'a.png', null],
  ['nothing', Buffer.alloc(0), 'a.png', null],
])('%s is told by its content', async (_, bytes, name, type) => {
  const path = join(folder, 'file');
  writeFileSync(path, bytes);
  const handle = await open(path);
  expect(await typeOf(path, handle, name)).toBe(type);
  await handle.close();
});
