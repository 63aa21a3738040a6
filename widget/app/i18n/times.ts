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
      const days = daysSince(iso, now);
      if (days < 2) return relative.format(-days, 'day');
      return (days < 300 ? day : date).format(new Date(iso));
    },
  };
}
