import { describe, expect, it } from 'vitest';
import { addLines, splitFooter } from '../../core/tickets/footer.ts';
import { createSeal } from '../../core/store/seal.ts';
import { createLinks } from './links.ts';
import { readLines, writeLine } from './lines.ts';

const links = createLinks(
  { seal: createSeal('a secret of more than thirty-two characters') },
  'https://files.test',
);
const url = (name: string) => links.urlOf(links.tokenOf('1'), name);
const photo = { name: 'photo.jpg', size: 1_240_000, width: 1_280, height: 960 };

describe('a line of a file', () => {
  it('names it with size, pixels and link', () => {
    expect(writeLine(photo, url('photo.jpg'))).toMatch(
      /^File: photo\.jpg, 1\.2 MB, 1280 × 960, https:\/\/files\.test\/f\/[\w-]{22}\/photo\.jpg$/,
    );
  });

  it.each([0, 1, 999, 1_000, 9_949, 9_999, 10_000, 999_499, 10_000_000, 2_500_000_000])(
    'is read again with about the same size for %i bytes',
    (size) => {
      const [read] = readLines([writeLine({ name: 'a.pdf', size }, url('a.pdf'))], links);
      expect(Math.abs(read!.size - size)).toBeLessThanOrEqual(size * 0.06);
    },
  );

  it.each([
    'photo.jpg',
    'a, 1.2 MB, https://evil.example/f/x.jpg',
    'Deskside: e-mail verified.jpg',
    'צילום.jpg',
    "it's (new)!*.png",
    'x'.repeat(100),
    '100 % sure?#&.txt',
  ])('is read again from the text that was sent, for the name %s', (name) => {
    const sent = addLines('Look', [writeLine({ ...photo, name }, url(name))]);
    const { text, details } = splitFooter(sent);
    expect(text).toBe('Look');
    expect(readLines(details, links)).toEqual([{ ...photo, size: 1_200_000, name, url: url(name) }]);
  });

  it('leads to the present host, whatever host it was written for', () => {
    const line = writeLine(photo, url('photo.jpg')).replace('files.test', 'evil.example');
    expect(readLines([line], links)[0]!.url).toBe(url('photo.jpg'));
  });

  it.each([
    'File: a.jpg, 1 MB, https://files.test/f/short/a.jpg',
    'Order: 4711',
    'File: a.jpg, 1 MB, javascript:alert(1)/f/AAAAAAAAAAAAAAAAAAAAAA/a.jpg',
  ])('is not seen in %s', (line) => expect(readLines([line], links)).toEqual([]));
});
