import { describe, expect, it } from 'vitest';
import { maxLength } from '../../../bff/contract/limits.ts';
import { en } from './en.ts';
import { createWords } from './words.ts';

const words = createWords(en, 'en');

describe('words', () => {
  it('choose the plural that the language wants, with its own digits', () => {
    expect(words.count(en.unread, 1)).toBe('1 new reply');
    expect(words.count(en.unread, 2)).toBe('2 new replies');
    expect(words.count({ one: '{count} a', few: '{count} b', other: '{count} c' }, 2_000)).toBe('2,000 c');
    expect(createWords(en, 'pl').count({ one: 'a', few: 'b', many: 'c', other: 'd' }, 3)).toBe('b');
  });

  it('fall back to the general plural', () => {
    expect(createWords(en, 'pl').count({ other: '{count} d' }, 3)).toBe('3 d');
  });

  it('name the field and its limit', () => {
    expect(words.faultText('too_long', 'description')).toContain(maxLength.description.toLocaleString('en'));
    expect(words.faultText('required', 'subject')).toBe('Please fill in “Subject”');
  });

  it.each([
    [0, 'in 1 second'],
    [45, 'in 45 seconds'],
    [700, 'in 12 minutes'],
    [7_000, 'in 2 hours'],
  ])('say that %i seconds are %j', (sec, text) => {
    expect(words.errorText('rate_limited', sec)).toContain(`again ${text}.`);
  });

  it('have a sentence for an error that a newer server names, or nobody', () => {
    expect(words.errorText(null)).toBe(en.errors.internal);
    expect(words.errorText('brand_new' as never)).toBe(en.errors.internal);
  });

  it.each([
    ['new', 'New'],
    ['waiting_on_us', 'Waiting on us'],
    ['in-progress', 'In progress'],
    ['оплачен', 'Оплачен'],
    ['', ''],
  ])('make the status %j readable as %j', (status, text) => {
    expect(words.statusText(status)).toBe(text);
  });

  // In the customer's own time zone, whichever it is here.
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
  ])('say of %s how long ago it was, or on which day', (iso, text) => {
    expect(words.agoText(iso, now)).toBe(text);
  });

  it.each([
    [at(11, 21, 11, 30), '30 minutes ago'],
    [at(11, 21, 9, 30), '9:30 AM'],
    [at(2, 3, 14), '2:00 PM'],
  ])('give the time of %s under the name of its day, once it is no longer fresh', (iso, text) => {
    expect(words.clockText(iso, now).replace('\u202f', ' ')).toBe(text);
  });

  it.each([
    [at(11, 21, 1), 'today'],
    [at(11, 20, 23), 'yesterday'],
    [at(11, 19, 12), 'Thursday, November 19'],
    [new Date(2025, 10, 19).toISOString(), 'Nov 19, 2025'],
  ])('name the day of %s', (iso, text) => {
    expect(words.dayText(iso, now)).toBe(text);
  });
});
