import type { ComponentChild, ComponentType } from 'preact';
import type { FrameSettings } from '../../bridge/messages.ts';
import type { Words } from '../i18n/words.ts';
import type { Part } from '../state/part.ts';
import type { ReadonlySignal } from '../state/signal.ts';
import type { Support } from '../state/support.ts';

/** What every view may use: the models, the words of the language, and what the host page has set. */
export interface Shared extends Support, Words {
  settings: ReadonlySignal<Partial<FrameSettings>>;
  /** The views of a customer who has tickets. */
  ticketViews: Part<TicketViews>;
  /** Drawn in place of the panel while it is closed. */
  overlay: ReadonlySignal<ComponentChild>;
  /** Null for the full page, which has nothing to close. */
  close: (() => void) | null;
}

/** As `tickets.ts` exports them. */
export interface TicketViews {
  Start: ComponentType<SharedProps>;
  Thread: ComponentType<SharedProps>;
}

export interface SharedProps {
  app: Shared;
}
