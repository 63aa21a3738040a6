import type { ReadonlySignal, Signal } from '@preact/signals';
import type { ComponentChild, ComponentType } from 'preact';
import type { MessageFile } from '../../shared/contract/files.ts';
import type { Brand } from '../../shared/contract/site.ts';
import type { Ticket, TicketSummary } from '../../shared/contract/tickets.ts';
import type { FrameSettings } from '../bridge/messages.ts';
import type { Deferred } from './browser/deferred.ts';
import type { Words } from './i18n/words.ts';
import type { Models } from './models.ts';
import type { ShownMessage } from './outbox/sends.ts';
import type { ReplyTime } from './site/by-time.ts';
import type { ViewModel } from './view.ts';

/** The app as every view gets it: the models, the words of the language, and what the host page has set. */
export interface App extends Models, Words {
  settings: ReadonlySignal<Partial<FrameSettings>>;
  /** What the BFF's settings add; null where they add nothing, or its script could not be loaded. */
  site: SiteViews | null;
  scripts: Scripts;
  /** Drawn in place of the panel while it is closed. */
  overlay: Signal<ComponentChild>;
  /** Loads the app's document anew. */
  reload: () => void;
  /** The operator's site, for the full page only. */
  siteLink: NonNullable<Brand['site']> | null;
  /** Null for the full page, which has nothing to close. */
  close: (() => void) | null;
}

export interface AppProps {
  app: App;
}

/** A conversation as it is drawn. */
export interface ConversationProps extends AppProps {
  messages: readonly ShownMessage[];
  summary: TicketSummary;
  ticket: Ticket | undefined;
}

type ViewOf<Props = object> = ComponentType<AppProps & Props>;

/** Scripts that are fetched once a customer needs them. `later-views.tsx` has their views for all others. */
export interface Scripts {
  /** An open conversation. */
  conversation: Deferred<ConversationViews>;
  /** For customers who have written before or whom the page identifies. */
  returning: Deferred<ReturningViews>;
  /** Views of the account, which few customers need: `find`, `handoff` and `data`. */
  account: Deferred<{ Account: ViewOf }>;
}

export type ConversationViews = Record<'LiveAnnouncer' | 'Notice' | 'Thread', ViewOf>;

export interface ReturningViews extends Record<
  'AccountMenu' | 'AccountNotices' | 'Elsewhere' | 'Start' | 'ThreadMenu',
  ViewOf
> {
  /** The top of a conversation. `first`: the oldest message that is loaded. */
  Earlier: ViewOf<{ hasEarlier: boolean; first: ShownMessage }>;
  /** `reason`: why the conversation takes no more replies. */
  Ended: ViewOf<{ reason: string }>;
  RichText: ViewOf<{ text: string; author: 'agent' | 'customer' }>;
  /** A new answer has arrived: plays a sound and shows a preview, if these are enabled. */
  arrive: (ticket: TicketSummary) => void;
}

/** What the operator's form adds to the form of a new ticket (`form/form.ts`). */
export interface FormViews extends Record<'Topics' | 'Answers' | 'Consent', ViewOf> {
  /** Names of fields that only this form has, for the summary of errors. */
  labels: Record<string, string>;
}

/** What customers need to attach files (`files/files.ts`). `name`: of the draft; that of the form unless given. */
export interface FileViews extends Record<'AttachButton' | 'FileChips', ViewOf<{ name?: string }>> {
  /** Which files a message waits for. */
  Uploads: ViewOf<{ sendKey: string }>;
}

/** What the BFF's settings add (`site/site.tsx`). */
export interface SiteViews extends Partial<FormViews>, Partial<FileViews> {
  /** How soon an answer comes, or when support is back; null where that is not known. `now`: as `Date.now()`. */
  replyTime: (now: number) => ReplyTime | null;
  /** Whether it is outside the hours of support. `now`: as `Date.now()`. */
  isClosed: (now: number) => boolean;
  /** What all customers are told now; null for nothing. `now`: as `Date.now()`. */
  notice: (now: number) => ComponentChild;
  /** The operator's links, on the start. */
  Links: ViewOf;
  NotifyField: ViewOf | null;
  /** Below a new ticket: when its answer comes, and where else the customer hears of it. */
  Awaited: ViewOf;
  /** Whether the start view has more than the form of a new ticket. */
  hasHome: boolean;
  /** The view in place of the usual ones; null while a usual one is shown. */
  page: (app: App) => ComponentChild;
  /** Articles that may answer what the customer writes, below the message. */
  suggestions: (app: App) => ComponentChild;
  /** The button to search, on the start view of a customer with tickets. */
  search: (app: App) => ComponentChild;
  /** The files of a message, below its text. */
  attached: (app: App, message: ShownMessage) => ComponentChild;
  /** What stands in place of the text of a message that has only files. */
  attachedText: (app: App, files: readonly MessageFile[] | undefined) => string;
  /** Below the newest message: whether the answer solved it. */
  rating: (conversation: ConversationProps) => ComponentChild;
  /** Shows the article that the host page names. */
  open: (view: ViewModel, article: string | undefined) => void;
}
