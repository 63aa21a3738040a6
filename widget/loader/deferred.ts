import type { Call, Commands, Proof, Report, Settings } from './api.ts';
import type { UncheckedMessage } from '../bridge/channel.ts';
import type { Frame } from './frame.ts';
import type { View } from './view.ts';
import type { Words } from './words.ts';

/** The commands that the core carries out. The deferred script reads from `calls` what `prefill`, `context` and `invite` say. */
export type CoreCommands = Omit<Commands, 'destroy' | 'invite' | 'prefill' | 'context'> &
  Record<'prefill' | 'context', () => void>;

/** What the core gives to the deferred script. */
export interface Core {
  bff: string;
  /** Changed in place by `update`. */
  settings: Settings;
  signal: AbortSignal;
  view: View;
  /** The sentences on screen: English, until the deferred script replaces them. */
  words: Words;
  commands: CoreCommands;
  /** Reads the changes of an `update`. The deferred script replaces it by one that knows the settings. */
  read: (changes: unknown) => object;
  /** Every frame on the page; the panel's is the first. */
  frames: Frame[];
  /** Adds a frame in `box`; `overrides` take precedence over `settings`. */
  addFrame: (box: HTMLElement, overrides: object, signal: AbortSignal) => Frame;
  /**
   * The page's calls, and each link to the widget that was pressed, as a call of its name. They wait for the deferred script, which
   * reads and checks them and takes the place of `push`.
   */
  calls: Call[];
  /** Loads the deferred script in an idle moment, to name a mistake. */
  explain: () => void;
  /** Messages that came before the deferred script. */
  early: [UncheckedMessage, Frame][];
  /** The site's identity token, or the function that gets one. SECURITY: kept in memory only. */
  proof?: Proof | undefined;
  /** Had the focus when the panel was opened last. */
  opener?: HTMLElement | null;
  /** The page shows it outside of the window. In the top layer it is in its place. */
  isMisplaced?: boolean;
  /** After `hide`, until `show`. */
  isHidden?: boolean;
  /** Renders everything again. */
  render: () => void;
}

/** The deferred script: features that pages need rarely, or only once the customer acts. */
export interface Deferred {
  render: (isOpen: boolean) => void;
  /** Receives every message of a frame, unchecked. */
  handle: (message: unknown, frame: Frame) => void;
  /** Sends a new frame its customer's token and the values to fill in. */
  connect: (frame: Frame) => void;
  /** Sends a fresh token to a loaded frame, if the site has identified its customer. */
  identify: (frame: Frame) => void;
  /** Sends all frames the values to fill in. */
  prefill: () => void;
  diagnose: () => Promise<Report>;
}

export interface DeferredModule {
  /** Throws when the widget has been destroyed. */
  start: (core: Core) => Deferred;
}
