import { describe, expect, it } from 'vitest';
import { parseSchedule } from './schedule.ts';
import { supportHours } from './support-hours.ts';

const at = (iso: string) => Date.parse(iso);
const hoursOf = (schedule: string, now: string) => {
  const { isOpen, changes } = supportHours(parseSchedule(schedule), at(now));
  return [isOpen, ...changes.slice(0, 2).map((change) => new Date(change).toISOString().slice(0, 16))];
};
const office = 'Mo-Fr 09:00-17:00 Europe/Berlin';

describe('support hours', () => {
  it('during a working day are open until the evening', () => {
    expect(hoursOf(office, '2026-11-23T10:00:00Z')).toEqual([true, '2026-11-23T16:00', '2026-11-24T08:00']);
  });

  it('begin at their first minute and have ended at their last', () => {
    expect(hoursOf(office, '2026-11-23T08:00:00Z')[0]).toBe(true);
    expect(hoursOf(office, '2026-11-23T16:00:00Z')[0]).toBe(false);
  });

  it('over a weekend are closed until Monday', () => {
    expect(hoursOf(office, '2026-11-20T20:00:00Z')).toEqual([false, '2026-11-23T08:00', '2026-11-23T16:00']);
  });

  it('follow daylight saving time of their zone', () => {
    expect(hoursOf(office, '2026-10-23T20:00:00Z').slice(1)).toEqual([
      '2026-10-26T08:00',
      '2026-10-26T16:00',
    ]);
    expect(hoursOf(office, '2026-10-22T20:00:00Z').slice(1)).toEqual([
      '2026-10-23T07:00',
      '2026-10-23T15:00',
    ]);
    const always = 'Mo-Su 00:00-24:00 Europe/Berlin';
    expect(hoursOf(always, '2026-10-24T20:00:00Z')[0]).toBe(true);
  });

  it('with a pause at noon change four times a day', () => {
    const hours = 'Mo-Fr 09:00-12:00,13:00-17:00 Europe/Berlin';
    expect(hoursOf(hours, '2026-11-23T11:30:00Z')).toEqual([false, '2026-11-23T12:00', '2026-11-23T16:00']);
  });

  it('across midnight count as one period', () => {
    const night = 'Mo-Su 22:00-02:00 UTC';
    expect(hoursOf(night, '2026-11-23T23:30:00Z')).toEqual([true, '2026-11-24T02:00', '2026-11-24T22:00']);
    expect(hoursOf(night, '2026-11-24T01:30:00Z')).toEqual([true, '2026-11-24T02:00', '2026-11-24T22:00']);
  });

  it('are closed on a yearly holiday, also across its end', () => {
    const hours = `${office}; 12-24..01-01 closed`;
    expect(hoursOf(hours, '2026-12-23T20:00:00Z').slice(1, 2)).toEqual(['2027-01-04T08:00']);
  });

  it('on a single date are as that date says', () => {
    const hours = `${office}; 2026-11-24 10:00-11:00`;
    expect(hoursOf(hours, '2026-11-23T20:00:00Z').slice(1)).toEqual(['2026-11-24T09:00', '2026-11-24T10:00']);
  });

  it('that never come again within a month have no next change', () => {
    expect(hoursOf(`${office}; 2026-11-01..2027-03-01 closed`, '2026-11-23T10:00:00Z')).toEqual([false]);
  });
});

describe('a schedule', () => {
  it.each([
    ['Mo-Fr 9-17 Europe/Berlin', /is not as in/],
    ['Mo-Fr 09:00-17:00', /one time zone/],
    ['Mo 09:00-17:00 Europe/Berlin; Tu 09:00-17:00 Asia/Tokyo', /one time zone/],
    ['Mo-Fr 09:00-17:00 Europe/Atlantis', /no time zone/],
    ['Mo-Fr 09:00-25:00 Europe/Berlin', /no time of day/],
    ['Mo-Fr 09:00-09:00 Europe/Berlin', /empty/],
    ['Xx 09:00-17:00 Europe/Berlin', /names no days/],
    ['Mo 09:00-17:00 UTC; 02-30 closed', /no date/],
    ['Mo 09:00-17:00 UTC; 2026-12-24..12-26 closed', /one side only/],
    ['2026-12-24 09:00-12:00 UTC', /never open/],
    ['', /one time zone/],
  ])('"%s" is refused', (text, reason) => {
    expect(() => parseSchedule(text)).toThrow(reason);
  });
});
