import type { ReadonlySignal } from '@preact/signals';
import type { ComponentChild, ComponentType } from 'preact';
import type { FrameSettings } from '../bridge/messages.ts';
import type { OffersModel } from './customer/offers.ts';
import type { LaterSentences } from '../i18n/sentences.ts';
import type { Words } from './i18n/words.ts';
import type { Core } from './core.ts';
import type { Deferred } from './browser/deferred.ts';
import type { ShownMessage } from './outbox/sends.ts';
import type { Support } from './support.ts';

/** What every view may use: the words of the language, and what the host page has set. */
export interface Page extends Words {
  settings: ReadonlySignal<Partial<FrameSettings>>;
  /** The views of the second script. */
  deferred: Deferred<DeferredViews>;
  /** Drawn in place of the panel while it is closed. */
  overlay: ReadonlySignal<ComponentChild>;
  /** Loads the app's document anew. */
  reload: () => void;
  /** Null for the full page, which has nothing to close. */
  close: (() => void) | null;
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

export interface FullProps {
  app: FullShared;
}

/** As `conversation.ts` brings them, with the models that they show. */
export interface DeferredViews extends Record<
  'Notice' | 'LiveAnnouncer' | 'Thread',
  ComponentType<FullProps>
> {
  app: FullShared;
}

/** For views of the third script, which has sentences of its own. */
export interface KnownShared extends FullShared {
  s: FullShared['s'] & LaterSentences;
  offers: OffersModel;
}

export interface KnownProps {
  app: KnownShared;
}

export interface EarlierProps extends KnownProps {
  hasEarlier: boolean;
  /** The oldest message that is here. */
  first: ShownMessage;
}

export interface PlaceProps extends KnownProps {
  /** The state of the request that runs, drawn. */
  status: ComponentChild;
}

/** As `known.ts` brings them. */
export interface KnownViews extends Record<
  'AccountActions' | 'Elsewhere' | 'Identifying' | 'Offers' | 'Start' | 'TaskStatus',
  ComponentType<KnownProps>
> {
  app: KnownShared;
  Earlier: ComponentType<EarlierProps>;
}
