import type { Sentences } from './words.ts';

/** Sentences that only the account's views show. They come with its script. */
const names = [
  'sendCode',
  'codeSent',
  'code',
  'wrongCode',
  'newCode',
  'showTickets',
  'thisDevice',
  'link',
  'copyLink',
  'copied',
  'openThere',
  'no',
  'openHere',
  'handoff',
] as const satisfies (keyof Sentences)[];

const pick = (sentences: Sentences, isWanted: (name: string) => boolean): Partial<Sentences> =>
  Object.fromEntries(Object.entries(sentences).filter(([name]) => isWanted(name)));

const isOfAccount = (name: string) => (names as readonly string[]).includes(name);

/** A language's sentences by the script that brings them. */
export const parted = (sentences: Sentences) => ({
  document: pick(sentences, (name) => !isOfAccount(name)),
  account: pick(sentences, isOfAccount),
});
