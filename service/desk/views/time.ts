const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const dayYearFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
const fullFormat = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
});

/** `now`, `5 min`, `3 h`, `2 d`, then the date. */
export function ago(at: string, now: Date): string {
  const then = new Date(at);
  const ms = now.getTime() - then.getTime();
  if (ms < minute) return 'now';
  if (ms < hour) return `${Math.floor(ms / minute)} min`;
  if (ms < day) return `${Math.floor(ms / hour)} h`;
  if (ms < 7 * day) return `${Math.floor(ms / day)} d`;
  return (then.getUTCFullYear() === now.getUTCFullYear() ? dayFormat : dayYearFormat).format(then);
}

/** The server cannot know an agent's time zone, so it names its own. */
export function fullTime(at: string): string {
  return `${fullFormat.format(new Date(at))} UTC`;
}
