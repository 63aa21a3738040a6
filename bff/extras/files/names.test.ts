import fc from 'fast-check';
import { expect, it } from 'vitest';
import { maxFileName } from '../../../shared/contract/files.ts';
import { isTaken, usualTypes } from './kinds.ts';
import { cleanName, dispositionOf } from './names.ts';

it.each([
  ['photo.jpg', 'image/jpeg', 'photo.jpg'],
  ['photo.JPEG', 'image/jpeg', 'photo.JPEG'],
  ['photo.png', 'image/jpeg', 'photo.jpg'],
  ['v1.2 final', 'application/pdf', 'v1.2 final.pdf'],
  ['bill.exe', 'application/pdf', 'bill.exe.pdf'],
  ['a.html', 'text/html', 'a.html'],
  ['setup.bat', 'text/plain', 'setup.bat.txt'],
  ['error.log', 'text/plain', 'error.log'],
  ['', 'image/png', 'file.png'],
  ['...', 'image/png', 'file.png'],
  ['.htaccess', 'text/plain', 'htaccess.txt'],
  ['../../etc/passwd', 'text/plain', '_.._etc_passwd.txt'],
  ['C:\\temp\\a.pdf', 'application/pdf', 'C__temp_a.pdf'],
  ['a\nb\0c.pdf', 'application/pdf', 'abc.pdf'],
  ['bill\u202efdp.exe', 'text/plain', 'billfdp.exe.txt'],
  ['con.txt', 'text/plain', '_con.txt'],
  ['Lpt1', 'image/gif', '_Lpt1.gif'],
  ['Bericht Ma\u0308rz.pdf', 'application/pdf', 'Bericht März.pdf'],
  ['写真 2.heic', 'image/heic', '写真 2.heic'],
  ['👩‍🔧.png', 'image/png', '👩🔧.png'],
  [`${'a'.repeat(300)}.pdf`, 'application/pdf', `${'a'.repeat(96)}.pdf`],
  [`${'a'.repeat(95)}😀.pdf`, 'application/pdf', `${'a'.repeat(95)}.pdf`],
])('the name %j of %s becomes %j', (given, type, clean) => expect(cleanName(given, type)).toBe(clean));

it('any name becomes one that is short, has the ending of its type and cannot be a path', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.constantFrom(...usualTypes),
      (given, type) => {
        const name = cleanName(given, type);
        expect(name.length).toBeLessThanOrEqual(maxFileName);
        expect(name).toMatch(/^[^/\\:*?"<>|\p{Cc}\p{Cf}]*[^/\\:*?"<>|\p{Cc}\p{Cf}.]\.[a-z0-9]+$/iu);
        expect(name.isWellFormed()).toBe(true);
        expect(cleanName(name, type)).toBe(name);
        expect(() => new Headers({ 'Content-Disposition': dispositionOf(name, false) })).not.toThrow();
      },
    ),
  );
});

it('a name of other characters than plain ones is stated in both forms', () =>
  expect(dispositionOf("Größe (1)'s 写真.pdf", false)).toBe(
    `attachment; filename="Gro_e (1)_s __.pdf"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%281%29%27s%20%E5%86%99%E7%9C%9F.pdf`,
  ));

it.each([
  ['image/png', ['image/*'], true],
  ['image/png', ['application/pdf'], false],
  ['application/x-msdownload', ['application/x-msdownload'], true],
  ['image/x-canon-cr2', ['image/*'], false],
  ['video/x-matroska', ['video/*'], false],
  ['image/jpeg', usualTypes, true],
  ['application/x-msdownload', usualTypes, false],
  ['application/javascript', usualTypes, false],
])('%s with FILES_TYPES=%j is taken: %s', (type, taken, isIt) => expect(isTaken(type, taken)).toBe(isIt));
