import { describe, expect, it } from 'vitest';
import { createTimes } from './words.ts';

const times = createTimes('en');

describe('times', () => {
  // In the customer's own time zone, which depends on this machine.
  const now = new Date(2026, 10, 21, 12, 0).getTime();
  const at = (month: number, day: number, hour: number, minute = 0) =>
    new Date(2026, month - 1, day, hour, minute).toISOString();

  it.each([
    [at(11, 21, 12, 2), 'now'],
    [at(11, 21, 11, 59), '1 minute ago'],
    [at(11, 21, 9, 30), '2 hours ago'],
    [at(11, 20, 23, 50), 'yesterday'],
    [at(11, 16, 23), '5 days ago'],
    [at(2, 3, 12), 'Feb 3, 2026'],
  ])('tell for %s how long ago it was, or the date', (iso, text) => {
    expect(times.agoText(iso, now)).toBe(text);
  });

  it.each([
    [at(11, 21, 11, 30), '30 minutes ago'],
    [at(11, 21, 9, 30), '9:30 AM'],
    [at(2, 3, 14), '2:00 PM'],
  ])('give the time of day for %s, unless it is within the last hour', (iso, text) => {
    expect(times.clockText(iso, now).replace('\u202f', ' ')).toBe(text);
  });

  it.each([
    [at(11, 21, 1), 'today'],
    // A server's clock may be ahead.
    [at(11, 22, 1), 'today'],
    [at(11, 24, 1), 'today'],
    [at(11, 20, 23), 'yesterday'],
    [at(11, 19, 12), 'Thursday, November 19'],
    [new Date(2025, 10, 19).toISOString(), 'Nov 19, 2025'],
  ])('name the day of %s', (iso, text) => {
    expect(times.dayText(iso, now)).toBe(text);
  });
});
