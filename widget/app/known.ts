import type { Signal } from '@preact/signals';
import type { ComponentChild } from 'preact';
import { saveFile } from './browser/save-file.ts';
import { createStore } from './browser/storage.ts';
import type { CoreOptions } from './core.ts';
import { AccountActions } from './customer/AccountActions.tsx';
import { Identifying } from './customer/Identifying.tsx';
import { createOffers } from './customer/offers.ts';
import { Elsewhere } from './customer/Offers.tsx';
import { Transfer } from './customer/Transfer.tsx';
import type { Host } from './host.ts';
import { withTexts } from './i18n/texts.ts';
import type { LaterSentences } from '../i18n/sentences.ts';
import { createNotify } from './notifications/notify.tsx';
import { resumeThread } from './pages/resume.ts';
import { Start } from './pages/Start.tsx';
import type { FullShared, KnownViews } from './shared.ts';
import type { Support } from './support.ts';
import { Earlier } from './thread/Earlier.tsx';
import { RichText } from './thread/messages/RichText.tsx';
import { Ended } from './thread/Ended.tsx';
import { ThreadMenu } from './thread/ThreadMenu.tsx';
import threadCss from './thread/thread-later.css?inline';
import listCss from './ticket-list/ticket-list.css?inline';
import { adoptStyles } from './ui/adopt-styles.ts';
import { LiveAnnouncer } from './notifications/LiveAnnouncer.tsx';
import { TaskStatus } from './ui/TaskStatus.tsx';

adoptStyles(threadCss + listCss);

/** The views of the third script, for customers who have written before or whom the page identifies. */
export const knownViews = {
  AccountActions,
  Earlier,
  Elsewhere,
  Ended,
  Identifying,
  LiveAnnouncer,
  RichText,
  Start,
  TaskStatus,
  ThreadMenu,
  Transfer,
};

interface SecondScript {
  app: FullShared;
  support: Support;
  options: CoreOptions;
  host: Host | null;
  overlay: Signal<ComponentChild>;
  /** The sentences of this script. */
  later: LaterSentences;
}

/** Adds the models of this script to those of the second one, and starts them. */
export function startKnown({ app, support, options, host, overlay, later }: SecondScript): KnownViews {
  const s = { ...app.s, ...withTexts(later, app.settings.peek().texts) };
  const offers = createOffers({ ...options, ...support, ...support.customer });
  let arrive: KnownViews['arrive'] = () => {};
  if (host) {
    const { stayOpen, inline } = app.settings.peek();
    if (stayOpen !== false && !inline)
      resumeThread(
        app,
        createStore(() => sessionStorage),
      );
    const notify = createNotify({ ...options, settings: app.settings, support, s, host, overlay });
    arrive = notify.arrive;
    // For example, "Send" may have been pressed before this script was loaded.
    if (navigator.userActivation.hasBeenActive) notify.allowSound();
    for (const type of ['click', 'keydown']) addEventListener(type, notify.allowSound);
  }
  return { ...knownViews, arrive, app: { ...app, s, offers, saveFile } };
}
