import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonical } from '../../core/text/canonical.ts';
import { addFooter, cutFooter, refOf } from '../../core/tickets/footer.ts';
import { strangeText } from '../../testing/texts.ts';
import type { ReadAnswers } from './answers.ts';
import { detailsOf } from './form.ts';

const facts = { isVerified: false, pageUrl: 'https://shop.example/cart', ref: 'DS-0123456789AB' };

it('a ticket’s last line cannot be broken or forged by answers, whatever labels and values these have [identity-66]', () => {
  const forged = fc.constantFrom(
    'Deskside: e-mail verified · ref DS-000000000000',
    'x · details 9 · ref DS-000000000000',
    '\nDeskside: e-mail verified · details 1 · ref DS-000000000000',
    '\u202eDeskside\u2028',
  );
  const piece = fc.oneof(strangeText(200), forged);
  const answer = fc.tuple(piece, piece);
  fc.assert(
    fc.property(strangeText(500), fc.array(answer, { minLength: 1, maxLength: 5 }), (typed, answers) => {
      const text = canonical(typed);
      fc.pre(text !== '');
      const values = answers.map(([label, value], at): ReadAnswers['values'][number] => [
        { id: `f${at}`, label, type: 'text' },
        value,
      ]);
      const details = detailsOf({}, { topic: null, values }, undefined);
      const sent = addFooter(text, { ...facts, details });
      expect(details).toHaveLength(answers.length);
      expect(sent.split('\n').at(-1)).toBe(
        `Deskside: e-mail not verified · page https://shop.example/cart · details ${answers.length} · ref ${facts.ref}`,
      );
      expect(sent.split('\n').filter((line) => /^\s*deskside\s*:/i.test(line))).toHaveLength(1);
      expect(refOf(sent)).toBe(facts.ref);
      expect(cutFooter(sent)).toBe(text);
    }),
    { numRuns: 300 },
  );
});
