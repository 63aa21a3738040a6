import type { ErrorCode, FieldFault } from '../../../bff/contract/errors.ts';
import { maxLength } from '../../../bff/contract/limits.ts';
import type { en } from './en.ts';

type Plural = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;
type Shape<T> = T extends string
  ? string
  : T extends { other: string }
    ? Plural
    : { [Key in keyof T]: Shape<T[Key]> };

/** One language's sentences, in the shape of the English ones. */
export type Sentences = { [Key in keyof typeof en]: Shape<(typeof en)[Key]> };

/** Names of the sentences that stand alone. */
export type SentenceKey = keyof {
  [Key in keyof Sentences as Sentences[Key] extends string ? Key : never]: Key;
};

/** Puts values in the place of `{name}`; a name without a value, as a site's own text may have, stays. */
export const fill = (sentence: string, values: Record<string, string>): string =>
  sentence.replace(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);

/** Sentences and counts as one language (BCP 47) writes them. */
export function createWords(s: Sentences, language: string) {
  const plurals = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });

  function inTime(sec: number) {
    if (sec < 90) return relative.format(Math.ceil(Math.max(1, sec)), 'second');
    return sec < 5_400
      ? relative.format(Math.ceil(sec / 60), 'minute')
      : relative.format(Math.ceil(sec / 3_600), 'hour');
  }

  return {
    s,
    faultText(fault: FieldFault, name: 'customer_name' | 'customer_email' | 'subject' | 'description') {
      const own = (s.fieldFaults as Record<string, Partial<Record<FieldFault, string>>>)[name]?.[fault];
      return fill(own ?? s.faults[fault] ?? s.faults.invalid, {
        field: s.fields[name],
        max: numbers.format(maxLength[name]),
      });
    },
    /** Why something failed; `waitSec` is how long it will take until it can work. */
    errorText: (code: ErrorCode | null, waitSec = 0) =>
      fill((s.errors as Partial<typeof s.errors>)[code ?? 'internal'] ?? s.errors.internal, {
        time: inTime(waitSec),
      }),
    count: (forms: Plural, count: number) =>
      fill(forms[plurals.select(count)] ?? forms.other, { count: numbers.format(count) }),
    /** A ticket's status; one that only the service knows as readable words: `waiting_on_us` → "Waiting on us". */
    statusText(status: string) {
      const words = status.replaceAll(/[-_\s]+/g, ' ').trim();
      return (s.statuses as Record<string, string>)[status] ?? words.charAt(0).toUpperCase() + words.slice(1);
    },
  };
}

export type Words = ReturnType<typeof createWords>;
