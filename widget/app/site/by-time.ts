import { isOpenAt, type Site, type SiteNotice } from '../../../shared/contract/site.ts';
import { fill } from '../i18n/words.ts';

/** What all customers are told now. `now`: as `Date.now()`. */
export const noticeAt = ({ notices }: Site, now: number): SiteNotice | undefined =>
  // A comparison with a time that is missing is false.
  notices?.find(({ from, until }) => !(now < from! || now >= until!));

export interface ReplyTime {
  text: string;
  /** When the answer to a new ticket comes. */
  answer: string;
  /** Support is closed. */
  isAway: boolean;
}

const startOfDay = (at: number) => new Date(at).setHours(0, 0, 0, 0);

/**
 * How soon an answer comes or, outside the hours of support, when these begin again, by the customer's own clock. Null
 * if it is unknown. `language`: BCP 47; `now`: milliseconds since the epoch.
 */
export function replyTime({ sentences, hours }: Site, language: string, now: number): ReplyTime | null {
  const { replyTime: usual } = sentences;
  if (!hours || isOpenAt(hours, now)) return usual ? { text: usual, answer: usual, isAway: false } : null;
  const next = hours.changes.find((at) => at > now);
  return next === undefined ? null : { ...untilOpening(sentences, language, now, next), isAway: true };
}

function untilOpening(sentences: Site['sentences'], language: string, now: number, opening: number) {
  const days = Math.round((startOfDay(opening) - startOfDay(now)) / 86_400_000);
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, options).format(opening);
  const isSoon = days < 2;
  const day = isSoon
    ? new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(days, 'day')
    : format(days < 7 ? { weekday: 'long' } : { month: 'long', day: 'numeric' });
  const values = { day, time: format({ hour: 'numeric', minute: '2-digit' }) };
  const { backSoon, backOn, answerSoon, answerOn } = sentences;
  return {
    text: fill(isSoon ? backSoon! : backOn!, values),
    answer: fill(isSoon ? answerSoon! : answerOn!, values),
  };
}
