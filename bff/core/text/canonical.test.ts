import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonical, cut } from './canonical.ts';
import { strangeText } from '../../testing/texts.ts';

describe('canonical text', () => {
  it.each([
    ['one\r\ntwo\rthree\u2028four\u2029five\u0085six', 'one\ntwo\nthree\nfour\nfive\nsix'],
    ['a\u0007b\u000bc\u001bd\u009ee\tf', 'abcde\tf'],
    ['  \n e\u0301 \u00a0\ufeff', 'é'],
  ])('of %j is %j', (text, expected) => expect(canonical(text)).toBe(expected));

  it('of canonical text is the same text', () => {
    fc.assert(
      fc.property(strangeText(200), (text) => {
        expect(canonical(canonical(text))).toBe(canonical(text));
      }),
      { numRuns: 1_000 },
    );
  });

  it('holds no line break but LF, and no other control character but the tab', () => {
    fc.assert(
      fc.property(strangeText(200), (text) => {
        expect(canonical(text)).not.toMatch(/[^\P{Cc}\t\n]|[\u2028\u2029]/u);
      }),
    );
  });

  it('is NFC where no run of marks is longer than 30', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
        fc.pre(!/\p{M}{20}|\p{Cc}|[\u2028\u2029]/u.test(text));
        expect(canonical(text)).toBe(text.normalize('NFC').trim());
      }),
    );
  });

  it('keeps every mark of a long run', () => {
    const marks = '\u0301\u0316'.repeat(500);
    const kept = canonical(`a${marks}`);
    expect(kept.normalize('NFD').replaceAll('\u034f', '')).toHaveLength(1 + marks.length);
    expect(kept.normalize('NFD')).not.toMatch(/[^\P{M}\u034F]{31}/u);
  });
});

it('a text is cut between characters', () => {
  expect(cut('a🦊b', 2)).toBe('a');
  expect(cut('a🦊b', 3)).toBe('a🦊');
  expect(cut('ab', 5)).toBe('ab');
});
