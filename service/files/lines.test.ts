import { expect, it } from 'vitest';
import { readLine, sizeText, splitFiles, writeLine } from './lines.ts';

const url = 'https://support.example.com/f/AAAAAAAAAAAAAAAAAAAAAA/a%2C%20b.jpg';

it.each([
  { name: 'a, b.jpg', size: '1.2 MB', url, width: 1280, height: 960 },
  { name: 'Rechnung.pdf', size: '49 kB', url },
])('a line is read as it was written: $name', (file) => {
  expect(readLine(writeLine(file))).toEqual(file);
});

it.each(['File: a.jpg', 'File: a.jpg, 1 MB, javascript:alert(1)', 'Order: 7', `> File: a.jpg, 1 MB, ${url}`])(
  'no file is read from %j',
  (line) => {
    expect(readLine(line)).toBeNull();
  },
);

it('only the last lines of a text are its files', () => {
  const file = { name: 'a.pdf', size: '1.0 kB', url };
  const text = `Look:\n${writeLine(file)}\nand here:`;
  expect(splitFiles(text)).toEqual({ text, files: [] });
  expect(splitFiles(`${text}\n\n${writeLine(file)}\n${writeLine({ ...file, name: 'b.pdf' })}\n`)).toEqual({
    text,
    files: [file, { ...file, name: 'b.pdf' }],
  });
  expect(splitFiles(writeLine(file))).toEqual({ text: '', files: [file] });
});

it('a size is short', () => {
  expect([0, 999, 1_000, 48_600, 1_234_567, 23_456_789].map(sizeText)).toEqual([
    '0 bytes',
    '999 bytes',
    '1.0 kB',
    '49 kB',
    '1.2 MB',
    '23 MB',
  ]);
});
