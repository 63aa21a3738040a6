import { DateTime } from 'luxon';
import type { SupportHours } from '../../../shared/contract/site.ts';
import type { Opening, Schedule } from './schedule.ts';

/** How many days are examined, from yesterday. A long closure must end within them to be announced. */
const lookAheadDays = 32;
/** A cached document is older than its answer, so it must know several changes ahead. */
const maxChanges = 12;

function openingsOf(day: DateTime, { week, exceptions }: Schedule): readonly Opening[] {
  const applies = ({ from, to }: { from: string; to: string }) => {
    const date = day.toFormat(from.length === 5 ? 'MM-dd' : 'yyyy-MM-dd');
    // A yearly range may cross the end of the year.
    return from <= to ? from <= date && date <= to : date >= from || date <= to;
  };
  return exceptions.findLast(applies)?.openings ?? week[day.weekday - 1]!;
}

/** Whether support is there at `now` (milliseconds since the epoch), and when that changes. */
export function supportHours(schedule: Schedule, now: number): SupportHours {
  const today = DateTime.fromMillis(now, { zone: schedule.zone }).startOf('day');
  const spans: [from: number, to: number][] = [];
  for (let ahead = -1; ahead < lookAheadDays; ahead += 1) {
    const day = today.plus({ days: ahead });
    // Not by adding minutes, because a day on which the clocks change has 23 or 25 hours.
    const at = (minutes: number) =>
      day
        .plus({ days: Math.floor(minutes / 1440) })
        .set({ hour: Math.floor((minutes % 1440) / 60), minute: minutes % 60 })
        .toMillis();
    for (const [from, to] of openingsOf(day, schedule)) spans.push([at(from), at(to)]);
  }
  spans.sort(([a], [b]) => a - b);
  const merged: [number, number][] = [];
  for (const [from, to] of spans) {
    const last = merged.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  const changes = merged.flat().filter((at) => at > now);
  return {
    isOpen: merged.some(([from, to]) => from <= now && now < to),
    changes: changes.slice(0, maxChanges),
  };
}
