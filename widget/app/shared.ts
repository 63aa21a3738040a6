import type { ReadonlySignal, Signal } from '@preact/signals';
import type { ComponentChild, ComponentType } from 'preact';
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
  /** Null for the full page, which has nothing to close. */
  close: (() => void) | null;
}

/** As `form/form.ts` brings them. */
export interface FormViews extends Record<'Topics' | 'Answers' | 'Consent', ComponentType<SharedProps>> {
  /** What errors are named by, for the names of fields that only this form has. */
  labels: Record<string, string>;
}

/** As `site/site.tsx` brings them. */
export interface SiteViews extends Partial<FormViews> {
  /** How soon an answer comes, or when support is back; null where that is not known. `now`: as `Date.now()`. */
  replyTime: (now: number) => ReplyTime | null;
  NotifyField: ComponentType<SharedProps> | null;
  /** Whether the start view has more than the form of a new ticket. */
  hasHome: boolean;
  /** What is on screen in place of the usual views; null for those. */
  page: (app: Shared, Hero: ComponentType<SharedProps>) => ComponentChild;
  /** Articles that may answer what the customer writes, beneath the message. */
  suggestions: (app: Shared) => ComponentChild;
  /** The way to search, on the start view of a customer with tickets. */
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
  /** Whether emphasis and lists are drawn as such: an agent's are, a customer's own text is shown as it was typed. */
  isFormatted: boolean;
}

export interface FullProps {
  app: FullShared;
}

/** As `conversation.ts` brings them, with the models that they show. */
export interface DeferredViews extends Record<'Notice' | 'Thread', ComponentType<FullProps>> {
  app: FullShared;
}

/** For views of the third script, which has sentences of its own. */
export interface KnownShared extends FullShared {
  s: FullShared['s'] & LaterSentences;
  offers: OffersModel;
  /** What customers have answered on this page to whether a ticket solved their problem. */
  solved: Signal<ReadonlyMap<string, 'yes' | 'no'>>;
  /** Saves a file to the customer's device. */
  saveFile: typeof SaveFile;
}

export interface KnownProps {
  app: KnownShared;
}

export interface EarlierProps extends KnownProps {
  hasEarlier: boolean;
  /** The oldest message that is here. */
  first: ShownMessage;
}

export interface EndedProps extends KnownProps {
  /** Why the conversation takes no more replies. */
  reason: string;
}

export interface PlaceProps extends KnownProps {
  /** The state of the request that runs, drawn. */
  status: ComponentChild;
}

/** As `known.ts` brings them. */
export interface KnownViews extends Record<
  | 'AccountActions'
  | 'Elsewhere'
  | 'Identifying'
  | 'LiveAnnouncer'
  | 'Offers'
  | 'Solved'
  | 'Start'
  | 'TaskStatus'
  | 'ThreadMenu',
  ComponentType<KnownProps>
> {
  app: KnownShared;
  Earlier: ComponentType<EarlierProps>;
  Ended: ComponentType<EndedProps>;
  RichText: ComponentType<RichTextProps>;
  /** A new answer has come: a sound and a preview, where they are wanted. */
  arrive: (ticket: TicketSummary) => void;
}
