import type { ReadonlySignal } from '@preact/signals';
import type { ComponentChild, ComponentType } from 'preact';
import type { Brand } from '../../bff/contract/site.ts';
import type { TicketSummary } from '../../bff/contract/tickets.ts';
import type { FrameSettings } from '../bridge/messages.ts';
import type { OffersModel } from './customer/offers.ts';
import type { LaterSentences } from '../i18n/sentences.ts';
import type { ReplyTime } from './site/reply-time.ts';
import type { saveFile as SaveFile } from './browser/save-file.ts';
import type { Words } from './i18n/words.ts';
import type { Core } from './core.ts';
import type { Deferred } from './browser/deferred.ts';
import type { ShownMessage } from './outbox/sends.ts';
import type { Support } from './support.ts';
import type { ViewModel } from './view.ts';

/** What every view may use: the words of the language, and what the host page has set. */
export interface Page extends Words {
  settings: ReadonlySignal<Partial<FrameSettings>>;
  /** What the BFF's settings add; null where they add nothing, or its script could not be loaded. */
  site: SiteViews | null;
  /** The views of the second script. */
  deferred: Deferred<DeferredViews>;
  /** Drawn in place of the panel while it is closed. */
  overlay: ReadonlySignal<ComponentChild>;
  /** Loads the app's document anew. */
  reload: () => void;
  /** The operator's site, for the full page only. */
  siteLink: Brand['site'] | null;
  /** Null for the full page, which has nothing to close. */
  close: (() => void) | null;
}

/** As provided by `form/form.ts`. */
export interface FormViews extends Record<'Topics' | 'Answers' | 'Consent', ComponentType<SharedProps>> {
  /** Names of fields that only this form has, for the summary of errors. */
  labels: Record<string, string>;
}

/** As provided by `site/site.tsx`. */
export interface SiteViews extends Partial<FormViews> {
  /** How soon an answer comes, or when support is back; null where that is not known. `now`: as `Date.now()`. */
  replyTime: (now: number) => ReplyTime | null;
  NotifyField: ComponentType<SharedProps> | null;
  /** Whether the start view has more than the form of a new ticket. */
  hasHome: boolean;
  /** The view in place of the usual ones; null while a usual one is shown. */
  page: (app: Shared, Hero: ComponentType<SharedProps>) => ComponentChild;
  /** Articles that may answer what the customer writes, below the message. */
  suggestions: (app: Shared) => ComponentChild;
  /** The button to search, on the start view of a customer with tickets. */
  search: (app: Shared) => ComponentChild;
  /** Shows the article that the host page names. */
  open: (view: ViewModel, article: string | undefined) => void;
}

/** For views of the first script. */
export interface Shared extends Core, Page {}

export interface SharedProps {
  app: Shared;
}

/** For views of the second script. */
export interface FullShared extends Support, Page {
  /** The views of the third script. */
  known: Deferred<KnownViews>;
}

export interface RichTextProps {
  text: string;
  author: 'agent' | 'customer';
  s: KnownShared['s'];
}

export interface FullProps {
  app: FullShared;
}

/** As provided by `conversation.ts`, with the models that they show. */
export interface DeferredViews extends Record<'Notice' | 'Thread', ComponentType<FullProps>> {
  app: FullShared;
}

/** For views of the third script, which has sentences of its own. */
export interface KnownShared extends FullShared {
  s: FullShared['s'] & LaterSentences;
  offers: OffersModel;
  /** Saves a file to the customer's device. */
  saveFile: typeof SaveFile;
}

export interface KnownProps {
  app: KnownShared;
}

export interface EarlierProps extends KnownProps {
  hasEarlier: boolean;
  /** The oldest message that is loaded. */
  first: ShownMessage;
}

export interface EndedProps extends KnownProps {
  /** Why the conversation takes no more replies. */
  reason: string;
}

export interface PlaceProps extends KnownProps {
  /** Shows the state of the current request. */
  status: ComponentChild;
}

/** As provided by `known.ts`. */
export interface KnownViews extends Record<
  | 'AccountActions'
  | 'Elsewhere'
  | 'Identifying'
  | 'LiveAnnouncer'
  | 'Start'
  | 'TaskStatus'
  | 'ThreadMenu'
  | 'Transfer',
  ComponentType<KnownProps>
> {
  app: KnownShared;
  Earlier: ComponentType<EarlierProps>;
  Ended: ComponentType<EndedProps>;
  RichText: ComponentType<RichTextProps>;
  /** A new answer has arrived: plays a sound and shows a preview, if these are enabled. */
  arrive: (ticket: TicketSummary) => void;
}
