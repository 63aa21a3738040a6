import type { ListedArticle } from '../contract/articles.ts';
import type { SiteForm } from '../contract/form.ts';
import type { Site, SiteArticles } from '../contract/site.ts';
import { english, languages } from '../../widget/i18n/languages.ts';
import type { Schedule } from './schedule.ts';

/** How soon an answer usually comes, as `REPLY_TIME` says it. */
export interface ReplyTime {
  count: number;
  unit: 'minute' | 'hour' | 'day' | 'week';
}

export interface SiteSettings {
  /** Customers can be told by mail that an answer waits. */
  notify: boolean;
  schedule: Schedule | null;
  replyTime: ReplyTime | null;
  /** The operator's own form, by the language of the document; null where there is none. */
  formIn: ((tag: string) => SiteForm) | null;
  articles: ShownArticles | null;
}

/** What is shown of the operator's articles, as they are when it is asked for. */
export interface ShownArticles {
  edition: () => { hash: string };
  top: (tag: string) => ListedArticle[];
}

const allIn = (tag: string) => (languages.find((language) => language.tag === tag) ?? english).sentences;
const sentencesIn = (tag: string) => allIn(tag).site;

/**
 * What these settings change in the app, by the language of its document (a tag of the widget's) and the time
 * (milliseconds since the epoch); null where none of them is set.
 */
export async function createSite({ notify, schedule, replyTime, formIn, articles }: SiteSettings) {
  if (!notify && !schedule && !replyTime && !formIn && !articles) return null;
  // Its library knows time zones: only where somebody keeps hours.
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
 * When an answer comes, for a mail in a language of the widget: outside the hours of support when these begin again, by
 * the clock of support, whose zone is named; null where nothing is known of it.
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
