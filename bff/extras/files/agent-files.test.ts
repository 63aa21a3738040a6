import { describe, expect, it } from 'vitest';
import { createAgentFiles } from './agent-files.ts';

const filesIn = createAgentFiles({
  files: 'https://support.test/help',
  service: ['https://tickets.test'],
});
const token = 'AAAAAAAAAAAAAAAAAAAAAA';
const own = `https://support.test/help/f/${token}/lid.jpg`;
const theirs = 'https://tickets.test/uploads/box.PNG';
const urls = (body: string) => filesIn(body)?.files.map(({ url }) => url) ?? [];

describe('an agent’s link', () => {
  it('to a picture of this BFF or of the service is shown, below the text that has it', () => {
    const body = `See ${own} and [the box](${theirs}).`;
    expect(filesIn(body)).toEqual({
      body,
      files: [
        { name: 'lid.jpg', size: 0, url: own, picture: true },
        { name: 'box.PNG', size: 0, url: theirs, picture: true },
      ],
    });
  });

  it('alone is shown as its picture only', () => {
    expect(filesIn(`${own}\n${theirs}\n`)).toMatchObject({
      body: '',
      files: [{ url: own }, { url: theirs }],
    });
    expect(filesIn(`[Look](${own})`)!.body).toBe(`[Look](${own})`);
  });

  it('twice is shown once, and its part after # is left out', () => {
    expect(urls(`a ${own} b ${own}#x`)).toEqual([own]);
  });

  it.each([
    'https://evil.example/a.png',
    'https://tickets.test.evil.example/a.png',
    'https://tickets.test@evil.example/a.png',
    'https://me:secret@tickets.test/a.png',
    'http://tickets.test/a.png',
    'https://tickets.test:8443/a.png',
    '//tickets.test/a.png',
    // Neither a file of the BFF nor a picture.
    'https://support.test/help/api/session/a.png',
    'https://support.test/f/a.png',
    `https://support.test/help/f/../api/a.png`,
    'https://tickets.test/a.svg',
    'https://tickets.test/a.pdf',
    'https://tickets.test/%ff.png',
    // It may do something when it is requested.
    'https://tickets.test/logout.png?now',
  ])('%s stays a link', (url) => {
    expect(filesIn(`${url} https://tickets.test`)).toBeNull();
  });

  it('in code or in what is quoted stays as it is', () => {
    expect(filesIn(`\`${own}\` and\n\`\`\`\n${own}\n\`\`\``)).toBeNull();
    expect(filesIn(`Yes.\n\nOn Mon, 1 Jun 2026, Ana wrote:\n> ${own}`)).toBeNull();
  });

  it('beyond ten in a message stays a link', () => {
    const many = Array.from({ length: 12 }, (_, nth) => `https://tickets.test/${nth}.png`);
    expect(urls(many.join(' '))).toEqual(many.slice(0, 10));
  });
});

describe('a line of a file below an agent’s text', () => {
  const line = (name: string, url: string, pixels = ', 20 × 10') => `File: ${name}, 1.2 MB${pixels}, ${url}`;

  it('is the file itself, in the order of the lines', () => {
    const pdf = 'https://tickets.test/f/x/Rechnung.pdf';
    expect(filesIn(`Here:\n\n${line('box.PNG', theirs)}\n${line('Rechnung.pdf', pdf, '')}`)).toEqual({
      body: 'Here:',
      files: [
        { name: 'box.PNG', size: 1_200_000, url: theirs, width: 20, height: 10 },
        { name: 'Rechnung.pdf', size: 1_200_000, url: pdf },
      ],
    });
  });

  it('of another server stays in the text', () => {
    const body = `Here: ${own}\n\n${line('a.png', 'https://evil.example/a.png')}`;
    expect(filesIn(body)).toMatchObject({ body, files: [{ url: own }] });
  });

  it('of a drawing that can have scripts is a card', () => {
    const svg = 'https://tickets.test/f/x/a.svg';
    expect(filesIn(line('a.svg', svg))).toEqual({
      body: '',
      files: [{ name: 'a.svg', size: 1_200_000, url: svg }],
    });
  });
});
