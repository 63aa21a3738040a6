import {
  type AttachedSentences,
  isOpenAt,
  type Site,
  type SiteFiles,
  type SiteLink,
  type SiteRatings,
} from '../../../shared/contract/site.ts';
import { createDeferred, importScript } from '../browser/deferred.ts';
import { createStore, usedName } from '../browser/storage.ts';
import { refusedMark } from '../browser/refuse-files.ts';
import type { Models } from '../models.ts';
import { effect, type ReadonlySignal } from '@preact/signals';
import { Component } from 'preact';
import type { FrameSettings } from '../../bridge/messages.ts';
import type { App, AppProps, FileViews, FormViews, SiteViews } from '../app.ts';
import { AttachButtons } from './AttachButtons.tsx';
import { mayHaveContents } from '../files/contents.ts';
import { adoptStyles } from '../browser/page.ts';
import { fill } from '../i18n/words.ts';
import { noticeAt, replyTime } from './by-time.ts';
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
    importScript(async () => (await import('../ratings/Rating.tsx')).createRatings(ratings)),
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

/**
 * A link that leads away: to another tab or, from `mailto:` and `tel:`, to another program, which leaves no empty tab. Where
 * that is a site, no frame may show it.
 */
const Out = ({ label, url }: SiteLink) => (
  <a href={url} target={/^http/i.test(url) ? '_blank' : '_top'} rel="noopener noreferrer">
    {label}
  </a>
);

/** The files of messages, whose script is fetched when one has some. Without it they are links. */
function startAttached(
  sentences: AttachedSentences,
  language: string,
): Pick<SiteViews, 'attached' | 'attachedText'> {
  const script = createDeferred(
    importScript(async () =>
      (await import('../files-shown/Attached.tsx')).createAttached(sentences, language),
    ),
  );
  return {
    attached(app, message) {
      if (script.loaded.value) return script.loaded.value(app, message);
      if (!script.failure.value) void script.fetch();
      return (
        script.failure.value &&
        message.files!.map(({ name, url }) => (
          <p key={url}>
            <a href={url} target="_blank" rel="noopener noreferrer">
              {name}
            </a>
          </p>
        ))
      );
    },
    attachedText({ count }, [file, ...others] = []) {
      if (!file) return '';
      const isPicture = file.width ?? file.picture;
      return isPicture && others.length === 0 ? sentences.picture : count(sentences.files, others.length + 1);
    },
  };
}

/**
 * Attaching files, whose script is fetched once there is a file: a chosen or dropped one, or one of an earlier page.
 */
function startFiles(
  rules: SiteFiles,
  language: string,
  models: Models,
  settings: ReadonlySignal<Partial<FrameSettings>>,
): FileViews {
  /** Name of the draft whose field is on screen. */
  let openDraft: string | null = null;
  const isOn = () => settings.value.files !== 'off';
  const script = createDeferred(
    importScript(async () =>
      (await import('../files/files.ts')).createFiles(rules, language, models, () =>
        isOn() ? openDraft : null,
      ),
    ),
  );
  const take = (name: string, files: readonly File[]) =>
    void script.fetch().then((loaded) => {
      if (loaded) loaded.take(name, files);
      else
        models.view.said.value = fill(rules.sentences.failed, {
          name: files.map((file) => file.name).join(),
        });
    });
  effect(() => {
    document.documentElement.classList.toggle('attach', isOn());
    // Messages may wait for their files where the tag has switched them off.
    if (models.outbox.sends.value.some(({ files }) => files?.length)) void script.fetch();
  });
  // It uploads what drafts on screen have, and removes what has no owner any more.
  void mayHaveContents().then((may) => {
    if (may) void script.fetch();
  });
  // Whoever writes may attach a file next, and be offline by then.
  for (const type of ['dragover', 'input'])
    addEventListener(type, () => void (isOn() && openDraft !== null && script.fetch()));
  // Before the app, which refuses files.
  addEventListener(
    refusedMark,
    (event) => {
      const name = openDraft;
      const { detail: files } = event as CustomEvent<File[] | null>;
      if (!isOn() || name === null) return;
      event.stopPropagation();
      // Dropped on the launcher, which has only opened the panel.
      if (!files) models.view.said.value = rules.sentences.drop;
      else take(name, files);
    },
    true,
  );
  return {
    AttachButton: ({ app, name = 'new' }) =>
      isOn() && <AttachButtons app={app} rules={rules} onFiles={(files) => take(name, files)} />,
    FileChips: class extends Component<AppProps & { name?: string }> {
      override componentDidMount() {
        openDraft = this.props.name ?? 'new';
      }

      override componentDidUpdate() {
        this.componentDidMount();
      }

      override componentWillUnmount() {
        if (openDraft === (this.props.name ?? 'new')) openDraft = null;
      }

      override render(props: AppProps & { name?: string }) {
        const loaded = script.loaded.value;
        if (loaded) return <loaded.FileChips {...props} />;
        // Attached in another tab.
        if (props.app.drafts.files(props.name ?? 'new').value.length > 0) void script.fetch();
        return null;
      }
    },
    Uploads(props) {
      const loaded = script.loaded.value;
      return loaded ? <loaded.Uploads {...props} /> : <>{props.app.s.states.sending}</>;
    },
  };
}

/** What the BFF's settings add to the app. `language`: BCP 47. */
export function createSite(site: Site, language: string, form?: FormViews): SiteViews {
  const { notify, answerMail } = site.sentences;
  const { links = [], ratings, attached } = site;
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
    ...(attached ? startAttached(attached, language) : { attached: () => null, attachedText: () => '' }),
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
  const { files, form, articles } = site;
  adoptStyles(css);
  const [ofForm, ofArticles] = await Promise.all([
    form && inTime(import('../form/form.tsx').then(({ startForm }) => ({ startForm }))),
    articles && inTime(import('../articles/articles.tsx').then(({ createArticles }) => ({ createArticles }))),
  ]);
  return (models: Models, settings: ReadonlySignal<Partial<FrameSettings>>): SiteViews => {
    if (!files) models.outbox.refuseFiles();
    return {
      ...createSite(site, language, ofForm?.startForm(form!, site.sentences.form!, models.newTicket)),
      ...(files && startFiles(files, language, models, settings)),
      ...ofArticles?.createArticles(articles!, language),
    };
  };
}
