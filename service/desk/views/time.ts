import type { Sentences } from '../sentences/sentences.ts';

export type Times = ReturnType<typeof createTimes>;

/**
 * Formats times in a language. The browser runs the text of this function too (`../script.ts`), so it uses nothing from
 * outside itself.
 */
export function createTimes(texts: Sentences['times']) {
  const minute = 60_000;
  const hour = 60 * minute;
  const day = 24 * hour;

  return {
    /** `now`, `5 min`, `3 h`, `2 d`, then the date; in UTC, or in the reader's zone where `isLocal`. */
    ago(at: string, now: Date, isLocal = false): string {
      const then = new Date(at);
      const ms = now.getTime() - then.getTime();
      if (ms < minute) return texts.now;
      if (ms < hour) return texts.minutes(Math.floor(ms / minute));
      if (ms < day) return texts.hours(Math.floor(ms / hour));
      if (ms < 7 * day) return texts.days(Math.floor(ms / day));
      const zone = isLocal ? {} : { timeZone: 'UTC' };
      const year = (date: Date) => date.toLocaleDateString(texts.locale, { year: 'numeric', ...zone });
      return year(then) === year(now)
        ? then.toLocaleDateString(texts.locale, { day: 'numeric', month: 'short', ...zone })
        : then.toLocaleDateString(texts.locale, { dateStyle: 'medium', ...zone });
    },

    /** Date and time. The server cannot know an agent's time zone, so it names its own; `isLocal` takes the reader's. */
    fullTime(at: string, isLocal = false): string {
      const format = { dateStyle: 'medium', timeStyle: 'short' } as const;
      return isLocal
        ? new Date(at).toLocaleString(texts.locale, format)
        : texts.utc(new Date(at).toLocaleString(texts.locale, { ...format, timeZone: 'UTC' }));
    },
  };
}
