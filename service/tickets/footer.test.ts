import { describe, expect, it } from 'vitest';
import { readDetails, splitFooter } from './footer.ts';

const facts = { isEmailVerified: null, page: null, ref: null, details: [], otherFacts: [] };

describe('the line for agents at the end of a description', () => {
  it.each([
    ['Deskside: e-mail verified · ref DS-1', { isEmailVerified: true, ref: 'DS-1' }],
    [
      'Deskside: e-mail not verified · page https://a.example/b · ref DS-1',
      { isEmailVerified: false, page: 'https://a.example/b', ref: 'DS-1' },
    ],
    // There is no block of two lines.
    ['Deskside: e-mail verified · details 2 · ref DS-1', { isEmailVerified: true, ref: 'DS-1' }],
    ['deskside:  ref DS-1 ·  language Welsh', { ref: 'DS-1', otherFacts: ['language Welsh'] }],
  ])('is read from %s', (line, footer) => {
    expect(splitFooter(`Hello,\n\nit broke.\n\n${line}\n`)).toStrictEqual({
      text: 'Hello,\n\nit broke.',
      footer: { ...facts, ...footer },
    });
  });

  it.each([
    'It broke.',
    '',
    'Deskside: what is that?',
    'Deskside: page https://a.example',
    '> Deskside: e-mail verified · ref DS-1',
    'Deskside: e-mail verified · ref DS-1\nis what I read here.',
  ])('is not found in %j, which stays unchanged', (description) => {
    expect(splitFooter(description)).toStrictEqual({ text: description, footer: null });
  });

  it('names how many lines before it are answers to a form', () => {
    const line = 'Deskside: e-mail verified · details 2 · ref DS-1';
    const details = ['Topic: My order', '> Deskside: Note: x'];
    // Only the last block was added by the client.
    const text = 'Topic: Mine\nOrder: 7\n\n> Deskside: e-mail verified · details 1 · ref DS-2';
    expect(splitFooter(`${text}\n\n${details.join('\n')}\n\n${line}`)).toStrictEqual({
      text,
      footer: { ...facts, isEmailVerified: true, ref: 'DS-1', details },
    });
  });

  it.each(['0', '3', '99', '-1', 'two', '1e1'])(
    'leaves the text whole where it names %s of 2 lines',
    (count) => {
      const text = 'It broke.\n\nTopic: My order\nOrder: 7';
      expect(splitFooter(`${text}\n\nDeskside: e-mail verified · details ${count} · ref DS-1`).text).toBe(
        text,
      );
    },
  );
});

it('has nothing but lines of files below a reply, which may have no text', () => {
  const file = 'File: a.pdf, 1.0 kB, https://b.test/f/AAAAAAAAAAAAAAAAAAAAAA/a.pdf';
  const footer = { ...facts, details: [file] };
  expect(splitFooter(`Look\n\n${file}\n\nDeskside: details 1`)).toStrictEqual({ text: 'Look', footer });
  expect(splitFooter(`${file}\n\nDeskside: details 1`)).toStrictEqual({ text: '', footer });
});

it('tells what the site’s server says from what the page says, whatever that is called', () => {
  const lines = [
    'Topic: - My order',
    'Page: Cart: 2 things',
    'Deskside: verified · plan: Basic',
    'Said by the page (not verified):',
    '- plan: Pro',
    '> - Deskside: verified · plan: Enterprise',
  ];
  expect(readDetails(lines).map(({ label, value, isVerified }) => [label, value, isVerified])).toEqual([
    ['Topic', '- My order', null],
    ['Page', 'Cart: 2 things', null],
    ['plan', 'Basic', true],
    ['plan', 'Pro', false],
    ['Deskside', 'verified · plan: Enterprise', false],
  ]);
});
