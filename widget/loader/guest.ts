import type { Prefill } from '../bridge/messages.ts';
import type { Commands, Proof, Report, Settings } from './api.ts';
import type { Frame, Said } from './frame.ts';
import type { View } from './view.ts';
import type { Words } from './words.ts';

/** What the core lends to the part that is fetched later. */
export interface Core {
  bff: string;
  /** As they stand: a change shows here. */
  settings: Settings;
  signal: AbortSignal;
  view: View;
  /** The sentences of the core itself, to be written over by those of another language. */
  words: Words;
  commands: Omit<Commands, 'destroy'>;
  /** All that are told what the page says; the panel's is the first. */
  frames: Frame[];
  /** A frame of the same app elsewhere in the page, as `data-*` of its place set it. */
  addFrame: (box: HTMLElement, overrides: object, signal: AbortSignal) => Frame;
  /** What frames have said before the guest came. */
  early: [Said, Frame][];
  /** Who the site says its customer is. SECURITY: kept in memory alone. */
  proof?: Proof | undefined;
  /** What the page has filled in; what was sent is not filled in again. */
  fields?: Prefill | undefined;
  /** After `hide`, until `show`. */
  isHidden?: boolean;
  /** Draws everything anew, the guest's part last. */
  render: () => void;
}

/** The part of the widget that pages need rarely or only later. */
export interface Guest {
  render: (isOpen: boolean) => void;
  /** Told of everything that a frame says. Not checked. */
  hear: (message: unknown, frame: Frame) => void;
  /** Tells a frame what the site has said of its customer: a fresh token, and what to fill in. */
  introduce: (frame: Frame) => void;
  /** Sends a fresh token to a frame that was fetched, if the site has said who its customer is. */
  renew: (frame: Frame) => void;
  /** Tells all frames what the site has filled in. */
  fill: () => void;
  diagnose: () => Promise<Report>;
}

export interface GuestModule {
  /** Throws once the widget is gone. */
  createGuest: (core: Core) => Guest;
}
