import type { Brand, Site, SiteLink, SiteNotice } from '../../../shared/contract/site.ts';
import { english, languages } from '../../../shared/i18n/languages.ts';
import { type Sentence, sentenceIn } from '../text/sentence.ts';
import type { Schedule } from './schedule.ts';

/** How soon an answer usually comes, from `REPLY_TIME`. */
export interface ReplyTime {
  count: number;
  unit: 'minute' | 'hour' | 'day' | 'week';
}

export interface SiteSettings {
  schedule: Schedule | null;
  replyTime: ReplyTime | null;
  notice: (Omit<SiteNotice, 'text'> & { text: Sentence }) | null;
  links: readonly SiteLink[];
}

/** Data of another part of the BFF, in a language of the widget. Its sentences and notices are added to the others. */
export type SitePart = (tag: string) => Partial<Site>;

/** All sentences of a language of the widget, by its tag. */
export const sentencesOf = (tag: string) =>
  (languages.find((language) => language.tag === tag) ?? english).sentences;
const sentencesIn = (tag: string) => sentencesOf(tag).site;

/**
 * Creates a function that gives the data of these settings for a document, by its language (a tag of the widget's)
 * and the time (milliseconds since the epoch). Null when there is none.
 */
export async function createSite(settings: SiteSettings, parts: readonly SitePart[]) {
  const { schedule, replyTime, notice, links } = settings;
  if (!schedule && !replyTime && !notice && links.length === 0 && parts.length === 0) return null;
  // Loads the library for time zones only when there are hours.
  const hoursAt = schedule && (await import('./support-hours.ts')).supportHours;
  return (tag: string, now: number): Site => {
    const site = sentencesIn(tag);
    const more = parts.map((part) => part(tag));
    const notices = [
      ...(notice ? [{ ...notice, text: sentenceIn(notice.text, tag) }] : []),
      ...more.flatMap((data) => data.notices ?? []),
    ];
    return Object.assign({}, ...more, {
      sentences: {
        ...Object.assign({}, ...more.map(({ sentences }) => sentences)),
        ...(replyTime && { replyTime: site.replyTime.replace('{time}', durationText(replyTime, tag)) }),
        ...(schedule && {
          backOn: site.backOn,
          backSoon: site.backSoon,
          answerOn: site.answerOn,
          answerSoon: site.answerSoon,
        }),
      },
      ...(schedule && hoursAt && { hours: hoursAt(schedule, now) }),
      ...(notices.length > 0 && { notices }),
      ...(links.length > 0 && { links }),
    });
  };
}

/**
 * The reply time for a mail, in a language of the widget. Outside the hours of support it is the time of the next
 * opening, in the named time zone of support. Null when nothing is known.
 */
export async function replyTimeInMail(
  { schedule, replyTime }: Pick<SiteSettings, 'schedule' | 'replyTime'>,
  tag: string,
  now: number,
): Promise<string | null> {
  const site = sentencesIn(tag);
  const hours = schedule && (await import('./support-hours.ts')).supportHours(schedule, now);
  if (!hours || hours.isOpen)
    return replyTime && site.replyTime.replace('{time}', durationText(replyTime, tag));
  const [opening] = hours.changes;
  if (opening === undefined) return null;
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(tag, { ...options, timeZone: schedule.zone }).format(opening);
  return site.backOn
    .replace('{day}', format({ weekday: 'long', month: 'long', day: 'numeric' }))
    .replace('{time}', format({ hour: 'numeric', minute: '2-digit', timeZoneName: 'short' }));
}

const durationText = ({ count, unit }: ReplyTime, tag: string) =>
  new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay: 'long' }).format(count);

export interface BrandSettings {
  brand: string | null;
  brandColor: string | null;
  brandLogo: string | null;
  /** At least one. */
  allowedOrigins: readonly string[];
}

/** The operator's brand in a language of the widget. The full page leads to the first of the sites, if there is one. */
export function brandIn(tag: string, { brand, brandColor, brandLogo, allowedOrigins }: BrandSettings): Brand {
  // Neither a wildcard nor an app is an address.
  const url = allowedOrigins.find((origin) => /^https?:[^*]+$/.test(origin));
  return {
    ...(brand && { brand }),
    ...(brandColor && { color: brandColor }),
    ...(brandLogo && { logo: brandLogo }),
    ...(url && { site: { url, label: sentencesIn(tag).toSite.replace('{site}', new URL(url).host) } }),
  };
}
