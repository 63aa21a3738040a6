import type { ListedArticle } from '../contract/articles.ts';
import type { SiteForm } from '../contract/form.ts';
import type { Brand, Site, SiteArticles } from '../contract/site.ts';
import { english, languages } from '../../widget/i18n/languages.ts';
import type { Schedule } from './schedule.ts';

/** How soon an answer usually comes, from `REPLY_TIME`. */
export interface ReplyTime {
  count: number;
  unit: 'minute' | 'hour' | 'day' | 'week';
}

export interface SiteSettings {
  /** Whether customers are offered a mail when an answer waits. */
  notify: boolean;
  schedule: Schedule | null;
  replyTime: ReplyTime | null;
  /** The operator's form in the language of the document. Null where there is none. */
  formIn: ((tag: string) => SiteForm) | null;
  articles: ShownArticles | null;
}

/** The operator's articles as they are now. */
export interface ShownArticles {
  edition: () => { hash: string };
  top: (tag: string) => ListedArticle[];
}

const allIn = (tag: string) => (languages.find((language) => language.tag === tag) ?? english).sentences;
const sentencesIn = (tag: string) => allIn(tag).site;

/**
 * Creates a function that gives the data of these settings for a document, by its language (a tag of the widget's)
 * and the time (milliseconds since the epoch). Null when none of the settings is set.
 */
export async function createSite({ notify, schedule, replyTime, formIn, articles }: SiteSettings) {
  if (!notify && !schedule && !replyTime && !formIn && !articles) return null;
  // Loads the library for time zones only when there are hours.
  const hoursAt = schedule && (await import('./support-hours.ts')).supportHours;
  return (tag: string, now: number): Site => {
    const site = sentencesIn(tag);
    return {
      sentences: {
        ...(notify && { notify: site.notify }),
        ...(replyTime && { replyTime: site.replyTime.replace('{time}', durationText(replyTime, tag)) }),
        ...(schedule && { backOn: site.backOn, backSoon: site.backSoon }),
        ...(formIn && { form: site.form }),
      },
      ...(schedule && hoursAt && { hours: hoursAt(schedule, now) }),
      ...(formIn && { form: formIn(tag) }),
      ...(articles && { articles: articlesIn(articles, tag) }),
    };
  };
}

const articlesIn = ({ edition, top }: ShownArticles, tag: string): SiteArticles => ({
  hash: edition().hash,
  top: top(tag).map(({ id, title, lang }) => ({ id, title, ...(lang && { lang }) })),
  sentences: { ...sentencesIn(tag).articles, no: allIn(tag).no },
});

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

/** The operator's brand in a language of the widget. The full page leads to the first of the sites. */
export function brandIn(tag: string, { brand, brandColor, brandLogo, allowedOrigins }: BrandSettings): Brand {
  const url = allowedOrigins[0]!;
  return {
    ...(brand && { brand }),
    ...(brandColor && { color: brandColor }),
    ...(brandLogo && { logo: brandLogo }),
    site: { url, label: sentencesIn(tag).toSite.replace('{site}', new URL(url).host) },
  };
}
