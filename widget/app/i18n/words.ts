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

/** Counts and times as one language (BCP 47) writes them, in the customer's own time zone. Times are ISO 8601. */
export function createWords(s: Sentences, language: string) {
  const plurals = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
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

  function inTime(sec: number) {
    if (sec < 90) return relative.format(Math.ceil(Math.max(1, sec)), 'second');
    return sec < 5_400
      ? relative.format(Math.ceil(sec / 60), 'minute')
      : relative.format(Math.ceil(sec / 3_600), 'hour');
  }

  return {
    s,
    faultText: (fault: FieldFault, name: 'customer_name' | 'customer_email' | 'subject' | 'description') =>
      fill(s.faults[fault] ?? s.faults.invalid, {
        field: s.fields[name],
        max: numbers.format(maxLength[name]),
      }),
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
    fullTime: (iso: string) => full.format(new Date(iso)),
    agoText,
    /** For what stands under the name of its day: the time, or within the last hour how long ago. */
    clockText: (iso: string, now: number) =>
      minutesSince(iso, now) < 60 ? agoText(iso, now) : clock.format(new Date(iso)),
    /** The name of a day; with the year when it could be another year's. */
    dayText(iso: string, now: number) {
      const days = daysSince(iso, now);
      if (days < 2) return relative.format(-days, 'day');
      return (days < 300 ? day : date).format(new Date(iso));
    },
  };
}

export type Words = ReturnType<typeof createWords>;
