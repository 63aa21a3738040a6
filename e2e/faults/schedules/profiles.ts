import { commits, type FaultChoice, manners } from './faults.ts';
import type { Posting } from './plan.ts';

/** The settings of a profile: probabilities from 0 to 1. */
export interface Profile {
  customers: number;
  tickets: [least: number, most: number];
  replies: [least: number, most: number];
  /** The probability that a text equals another text. */
  equalTexts: number;
  eagerReplies: number;
  looks: number;
  /** The probability that a send has files. */
  files: number;
  hasFooter: number;
  longestPauseMs: number;
  postings: readonly Posting[];
  writeFaults: number;
  readFaults: number;
  faults: FaultChoice;
  outages: number;
  failpoints: number;
  wrongDates: number;
  /** Whether the store is set back, once all is sent, to a copy from while it was sent. */
  setsBack: boolean;
}

export const everything: Profile = {
  customers: 4,
  tickets: [1, 2],
  replies: [0, 3],
  equalTexts: 0.5,
  eagerReplies: 0.4,
  looks: 0.3,
  files: 0,
  hasFooter: 0.6,
  longestPauseMs: 8_000,
  postings: ['once', 'once', 'once', 'twice', 'reloaded'],
  writeFaults: 0.45,
  readFaults: 0.2,
  faults: { manners: [...manners, 'reset', 'hang'], commits, latestMs: 30_000 },
  outages: 0.3,
  failpoints: 0.5,
  wrongDates: 0.5,
  setsBack: false,
};

/** What the copy of the store holds as not sent is sent before the store is set back to it. */
export const setBack: Profile = {
  ...everything,
  equalTexts: 0.3,
  longestPauseMs: 4_000,
  writeFaults: 0,
  readFaults: 0,
  failpoints: 0,
  wrongDates: 0,
  setsBack: true,
};

/** Most sends have files. Uploads are cut, and the disk is full for a while. */
export const withFiles: Profile = {
  ...everything,
  replies: [0, 2],
  longestPauseMs: 4_000,
  writeFaults: 0.3,
  files: 0.8,
};

export const profiles = { everything, 'set-back': setBack, files: withFiles };
