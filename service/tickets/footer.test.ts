import { describe, expect, it } from 'vitest';
import { splitFooter } from './footer.ts';

const facts = { isEmailVerified: null, page: null, ref: null, otherFacts: [] };

describe('the line for agents at the end of a description', () => {
  it.each([
    ['Deskside: e-mail verified · ref DS-1', { isEmailVerified: true, ref: 'DS-1' }],
    [
      'Deskside: e-mail not verified · page https://a.example/b · ref DS-1',
      { isEmailVerified: false, page: 'https://a.example/b', ref: 'DS-1' },
    ],
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
});
