import type { ErrorCode, FieldFault } from '../../../shared/contract/errors.ts';
import { maxLength } from '../../../shared/contract/limits.ts';
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

/** Formats ISO 8601 times for a language (BCP 47), in the customer's time zone. */
export function createTimes(language: string) {
  const clock = new Intl.DateTimeFormat(language, { timeStyle: 'short' });
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
  const day = new Intl.DateTimeFormat(language, { weekday: 'long', day: 'numeric', month: 'long' });
  const full = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });

  const minutesSince = (iso: string, now: number) => Math.floor((now - Date.parse(iso)) / 60_000);
  const midnight = (time: string | number) => new Date(time).setHours(0, 0, 0, 0);
  const daysSince = (iso: string, now: number) => Math.round((midnight(now) - midnight(iso)) / 86_400_000);

  /** How long ago; the date when that is more than a week. `now`: milliseconds since the epoch. */
  function agoText(iso: string, now: number): string {
    const minutes = minutesSince(iso, now);
    const days = daysSince(iso, now);
    // A server's clock may be ahead.
    if (minutes < 1) return relative.format(0, 'second');
    if (minutes < 60) return relative.format(-minutes, 'minute');
    if (days < 1) return relative.format(-Math.floor(minutes / 60), 'hour');
    return days < 7 ? relative.format(-days, 'day') : date.format(new Date(iso));
  }

  return {
    /** How long until something can work, as "in 5 minutes". */
    inTime(sec: number) {
      if (sec < 90) return relative.format(Math.ceil(Math.max(1, sec)), 'second');
      return sec < 5_400
        ? relative.format(Math.ceil(sec / 60), 'minute')
        : relative.format(Math.ceil(sec / 3_600), 'hour');
    },
    fullTime: (iso: string) => full.format(new Date(iso)),
    agoText,
    /** For messages below a heading with their day: the time of day; within the last hour how long ago. */
    clockText: (iso: string, now: number) =>
      minutesSince(iso, now) < 60 ? agoText(iso, now) : clock.format(new Date(iso)),
    /** The name of a day; with the year when it is about a year ago or more. */
    dayText(iso: string, now: number) {
      // A server's clock may be ahead, or the customer's behind.
      const days = Math.max(0, daysSince(iso, now));
      if (days < 2) return relative.format(-days, 'day');
      return (days < 300 ? day : date).format(new Date(iso));
    },
  };
}
