import type { ErrorCode, FieldFault } from '../../../shared/contract/errors.ts';
import { maxLength } from '../../../shared/contract/limits.ts';
import { createTimes } from './times.ts';
import type { PanelSentences, Plural } from '../../../shared/i18n/sentences.ts';

/** Names of the sentences at the top level. */
export type SentenceKey = keyof {
  [Key in keyof PanelSentences as PanelSentences[Key] extends string ? Key : never]: Key;
};

/** Replaces each `{name}` by its value. A placeholder without a value stays: a site's own text may have any. */
export const fill = (sentence: string, values: Record<string, string>): string =>
  sentence.replace(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);

/** The sentences of a language (BCP 47), with functions that fill them in. */
export function createWords(s: PanelSentences, language: string) {
  const plurals = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
  const times = createTimes(language);

  return {
    s,
    ...times,
    fieldErrorText(fault: FieldFault, name: keyof PanelSentences['fields'] & keyof typeof maxLength) {
      const own = (s.fieldFaults as Record<string, Partial<Record<FieldFault, string>>>)[name]?.[fault];
      return fill(own ?? s.faults[fault] ?? s.faults.invalid, {
        field: s.fields[name],
        max: numbers.format(maxLength[name]),
      });
    },
    /** Why something failed; `waitSec`: seconds until it can work. */
    errorText: (code: ErrorCode | null, waitSec = 0) =>
      fill((s.errors as Partial<typeof s.errors>)[code ?? 'internal'] ?? s.errors.internal, {
        time: times.inTime(waitSec),
      }),
    count: (forms: Plural, count: number) =>
      fill(forms[plurals.select(count)] ?? forms.other, { count: numbers.format(count) }),
    /** A ticket's status. An unknown one of the service is made readable: `waiting_on_us` → "Waiting on us". */
    statusText(status: string) {
      const words = status.replaceAll(/[-_\s]+/g, ' ').trim();
      return (s.statuses as Record<string, string>)[status] ?? words.charAt(0).toUpperCase() + words.slice(1);
    },
  };
}

export type Words = ReturnType<typeof createWords>;

/**
 * Replaces sentences by the site's own texts, which are named by path (`newTicket`, `fields.subject`, `unread.other`).
 * Unknown paths and values other than strings are ignored, so the shape cannot change.
 */
export const withTexts = <T extends object>(sentences: T, texts: Record<string, unknown> = {}, at = ''): T =>
  Object.fromEntries(
    Object.entries(sentences).map(([name, sentence]: [string, string | object]) => {
      const text = texts[at + name];
      if (typeof sentence === 'object') return [name, withTexts(sentence, texts, `${at}${name}.`)];
      return [name, typeof text === 'string' ? text : sentence];
    }),
  ) as T;
