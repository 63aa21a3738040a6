import { expect, it } from 'vitest';
import { fileSize } from './file-size.ts';

it('a size is a short number in the words of the language', () => {
  expect([0, 999, 1_000, 48_600, 1_234_567, 23_456_789, 3.2e9].map((bytes) => fileSize(bytes, 'en'))).toEqual(
    ['0 byte', '999 byte', '1 kB', '49 kB', '1.2 MB', '23 MB', '3.2 GB'],
  );
  expect(fileSize(1_234_567, 'de')).toBe('1,2 MB');
  expect(fileSize(1_234_567, 'fr')).toMatch(/^1,2\sMo$/);
});
