/**
 * `now`, `5 min`, `3 h`, `2 d`, then the date; in UTC, or in the reader's zone where `isLocal`.
 * The browser runs the text of this function too (`../script.ts`), so it uses nothing from outside itself.
 */
export function ago(at: string, now: Date, isLocal = false): string {
  const minute = 60_000;
  const hour = 60 * minute;
  const day = 24 * hour;
  const then = new Date(at);
  const ms = now.getTime() - then.getTime();
  if (ms < minute) return 'now';
  if (ms < hour) return `${Math.floor(ms / minute)} min`;
  if (ms < day) return `${Math.floor(ms / hour)} h`;
  if (ms < 7 * day) return `${Math.floor(ms / day)} d`;
  const zone = isLocal ? {} : { timeZone: 'UTC' };
  const year = (date: Date) => date.toLocaleDateString('en-GB', { year: 'numeric', ...zone });
  return year(then) === year(now)
    ? then.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', ...zone })
    : then.toLocaleDateString('en-GB', { dateStyle: 'medium', ...zone });
}

/**
 * Date and time. The server cannot know an agent's time zone, so it names its own; `isLocal` takes the reader's.
 * The browser runs the text of this function too, so it uses nothing from outside itself.
 */
export function fullTime(at: string, isLocal = false): string {
  const format = { dateStyle: 'medium', timeStyle: 'short' } as const;
  return isLocal
    ? new Date(at).toLocaleString('en-GB', format)
    : `${new Date(at).toLocaleString('en-GB', { ...format, timeZone: 'UTC' })} UTC`;
}
