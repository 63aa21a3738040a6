import { isOpenAt, type Site, type SiteLink, type SiteRatings } from '../../../shared/contract/site.ts';
import { createDeferred } from '../browser/deferred.ts';
import { importScript } from '../browser/import-script.ts';
import { createStore, usedName } from '../browser/storage.ts';
import type { NewTicketModel } from '../new-ticket/new-ticket.ts';
import { effect } from '@preact/signals';
import type { App, FormViews, AppProps, SiteViews } from '../app.ts';
import { adoptStyles } from '../ui/adopt-styles.ts';
import { fill } from '../i18n/words.ts';
import { noticeAt } from './notice.ts';
import { replyTime } from './reply-time.ts';
import css from './site.css?inline';

const noArticles = {
  hasHome: false,
  page: () => null,
  suggestions: () => null,
  search: () => null,
  open: () => {},
};

/** Ratings, whose script is fetched for a conversation, and at once for customers who have written before. */
function startRatings(ratings: SiteRatings): SiteViews['rating'] {
  const script = createDeferred(
    importScript(async () => (await import('../ratings/ratings.ts')).createRatings(ratings)),
    () => {},
  );
  if (createStore(() => localStorage).read(usedName)) void script.fetch();
  /** The newest message that was drawn without the script. */
  let missed: string | null | undefined;
  /** The navigation at which the script was asked for last: a later one asks again for what could not be loaded. */
  let askedAt: number | undefined;
  return (conversation) => {
    const newest = conversation.messages.at(-1)?.id;
    if (script.loaded.value) return script.loaded.value(conversation, missed === newest);
    missed = newest;
    const moves = conversation.app.view.moves.peek();
    if (askedAt !== moves) void script.fetch();
    askedAt = moves;
    return null;
  };
}

/** A link that leads away, to another tab. */
const Out = ({ label, url }: SiteLink) => (
  <a href={url} target="_blank" rel="noopener noreferrer">
    {label}
  </a>
);

/** What the BFF's settings add to the app. `language`: BCP 47. */
export function createSite(site: Site, language: string, form?: FormViews): SiteViews {
  const { notify, answerMail } = site.sentences;
  const { links = [], ratings } = site;
  /** Where tickets sent in this page were asked to announce their answers, by the ticket's key. */
  const mailed = new Map<string | null, string>();
  let isWatching = false;
  /** Only a send says so, and only until its conversation shows it. */
  function watchSends({ outbox }: App) {
    if (isWatching) return;
    isWatching = true;
    effect(() => {
      for (const send of outbox.sends.value)
        if (send.kind === 'ticket' && send.payload.notify) mailed.set(send.key, send.payload.customer_email);
    });
  }
  return {
    ...form,
    notice(now) {
      const notice = noticeAt(site, now);
      if (!notice) return null;
      const { text, link } = notice;
      return link ? (
        <>
          {text} <Out {...link} />
        </>
      ) : (
        text
      );
    },
    Links: () =>
      links.length > 0 && (
        <ul class="site-links">
          {links.map((link) => (
            <li key={link.label}>
              <Out {...link} />
            </li>
          ))}
        </ul>
      ),
    isClosed: (now) => !!site.hours && isOpenAt(site.hours, now) === false,
    replyTime: (now) => replyTime(site, language, now),
    /** The customer agrees to a mail when an answer waits. */
    NotifyField: notify
      ? ({ app }: AppProps) => {
          watchSends(app);
          const { newTicket } = app;
          return (
            <label class="check">
              <input
                type="checkbox"
                checked={newTicket.fields.value.notify !== ''}
                onChange={(event) => newTicket.set('notify', event.currentTarget.checked ? 'on' : '')}
              />
              {notify}
            </label>
          );
        }
      : null,
    Awaited({ app }: AppProps) {
      watchSends(app);
      const answer = replyTime(site, language, app.now.value)?.answer;
      const email = mailed.get(app.viewed.value?.key ?? null);
      return (
        <>
          {answer && <p>{answer}</p>}
          {answerMail && email && <p>{fill(answerMail, { email })}</p>}
        </>
      );
    },
    rating: ratings ? startRatings(ratings) : () => null,
    ...noArticles,
  };
}

/** The first view waits no longer than this. Missing scripts are then loaded by the next page. */
const longestMs = 3_000;

const inTime = <Script,>(script: Promise<Script>): Promise<Script | null> =>
  Promise.race([
    script.catch(() => null),
    new Promise<null>((resolve) => {
      setTimeout(() => resolve(null), longestMs);
    }),
  ]);

/**
 * Reads the settings in the document's `block`, and loads their scripts. A script that cannot be loaded is left out.
 * Returns what makes the views.
 */
export async function loadSite(block: string, language: string) {
  const site = JSON.parse(block) as Site;
  const { form, articles } = site;
  adoptStyles(css);
  const [ofForm, ofArticles] = await Promise.all([
    form && inTime(import('../form/form.ts').then(({ startForm }) => ({ startForm }))),
    articles && inTime(import('../articles/articles.ts').then(({ createArticles }) => ({ createArticles }))),
  ]);
  return (newTicket: NewTicketModel): SiteViews => ({
    ...createSite(site, language, ofForm?.startForm(form!, site.sentences.form!, newTicket)),
    ...ofArticles?.createArticles(articles!, language),
  });
}
