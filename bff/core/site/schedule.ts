/** From and to, in minutes of the day; the end may be on the next day. */
export type Opening = readonly [from: number, to: number];

/** The hours of support from `SUPPORT_HOURS`. */
export interface Schedule {
  /** IANA name of the time zone. */
  zone: string;
  /** The openings of each weekday, from Monday. */
  week: readonly (readonly Opening[])[];
  /** Days that differ: from and to, as `YYYY-MM-DD`, or `MM-DD` for every year. The last one that applies counts. */
  exceptions: readonly { from: string; to: string; openings: readonly Opening[] }[];
}

const dayNames = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];
const part =
  /^(?<days>[A-Z][a-z](?:[-,][A-Z][a-z])*|(?:\d{4}-)?\d\d-\d\d(?:\.\.(?:\d{4}-)?\d\d-\d\d)?) (?<times>closed|\d\d:\d\d-\d\d:\d\d(?:,\d\d:\d\d-\d\d:\d\d)*)(?: (?<zone>[A-Za-z]\S*))?$/;

function parseTimes(text: string): Opening[] {
  if (text === 'closed') return [];
  return text.split(',').map((range) => {
    const [from, to] = range.split('-').map((time) => {
      const [hours, minutes] = time.split(':').map(Number) as [number, number];
      if (minutes > 59 || hours * 60 + minutes > 1440) throw new Error(`"${time}" is no time of day`);
      return hours * 60 + minutes;
    }) as [number, number];
    if (from === to) throw new Error(`"${range}" is empty`);
    return [from, to > from ? to : to + 1440];
  });
}

function parseDays(text: string): number[] {
  const days = text.split(',').flatMap((range) => {
    const [from, to = from] = range.split('-').map((name) => dayNames.indexOf(name)) as [number, number?];
    if (from < 0 || to < 0) throw new Error(`"${range}" names no days: use ${dayNames.join(', ')}`);
    return Array.from({ length: ((to - from + 7) % 7) + 1 }, (_, at) => (from + at) % 7);
  });
  return days;
}

const isDate = (text: string) => {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
};

const isZone = (name: string) => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone.length > 0;
  } catch {
    return false;
  }
};

function parseDates(text: string): { from: string; to: string } {
  const [from, to = from] = text.split('..') as [string, string?];
  for (const date of [from, to])
    // A leap year, so that the 29th of February can be named for every year.
    if (!isDate(date.length === 5 ? `2024-${date}` : date)) throw new Error(`"${date}" is no date`);
  if (from.length !== to.length) throw new Error(`"${text}" names a year on one side only`);
  return { from, to };
}

/**
 * Reads `Mo-Fr 09:00-17:00 Europe/Berlin; Sa 10:00-14:00; 12-24..12-26 closed; 2026-10-30 09:00-12:00`.
 * @throws {Error} whose message says what is wrong
 */
export function parseSchedule(text: string): Schedule {
  const week: Opening[][] = dayNames.map(() => []);
  const exceptions: { from: string; to: string; openings: Opening[] }[] = [];
  const zones = new Set<string>();
  for (const each of text.split(';').map((piece) => piece.trim().replace(/\s+/g, ' '))) {
    if (each === '') continue;
    const { days, times, zone } = part.exec(each)?.groups ?? {};
    if (!days || !times) throw new Error(`"${each}" is not as in "Mo-Fr 09:00-17:00 Europe/Berlin"`);
    if (zone) zones.add(zone);
    const openings = parseTimes(times);
    if (/^\d/.test(days)) exceptions.push({ ...parseDates(days), openings });
    else for (const day of parseDays(days)) week[day] = openings;
  }
  const [zone] = zones;
  if (!zone || zones.size > 1) throw new Error('must name one time zone, such as Europe/Berlin');
  if (!isZone(zone)) throw new Error(`"${zone}" is no time zone`);
  if (week.every((openings) => openings.length === 0)) throw new Error('is never open');
  return { zone, week, exceptions };
}
