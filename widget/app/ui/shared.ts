import type { ComponentChild, ComponentType } from 'preact';
import type { FrameSettings } from '../../bridge/messages.ts';
import type { Words } from '../i18n/words.ts';
import type { Part } from '../state/part.ts';
import type { ReadonlySignal } from '../state/signal.ts';
import type { Support } from '../state/support.ts';

/** What every view may use: the models, the words of the language, and what the host page has set. */
export interface Shared extends Support, Words {
  settings: ReadonlySignal<Partial<FrameSettings>>;
  /** The views that come after the first paint. */
  later: Part<LaterViews>;
  /** Drawn in place of the panel while it is closed. */
  overlay: ReadonlySignal<ComponentChild>;
  /** Loads the app's document anew. */
  reload: () => void;
  /** Null for the full page, which has nothing to close. */
  close: (() => void) | null;
}

/** As `rest.ts` exports them. */
export type LaterViews = Record<
  'Identifying' | 'Notice' | 'Offers' | 'Spoken' | 'Start' | 'Thread' | 'Ways',
  ComponentType<SharedProps>
>;

export interface SharedProps {
  app: Shared;
}
