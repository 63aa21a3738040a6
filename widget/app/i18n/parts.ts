import type { Sentences } from './words.ts';

type Names = readonly (keyof Sentences)[];

/** Sentences that only the views of these parts show, and that come with them; all others stand in the document. */
const parts = {
  rest: [
    'identifying',
    'identifyingSlow',
    'asNobody',
    'unread',
    'you',
    'statuses',
    'writeReply',
    'sendReply',
    'earlier',
    'newest',
    'states',
    'awaited',
    'keepTrying',
    'sendAgain',
    'undecided',
    'hidden',
    'movedHint',
    'startOver',
    'arrived',
    'noPreviews',
    'signOut',
    'forget',
    'forgetHint',
    'claimable',
    'claim',
    'claimHint',
    'transferable',
    'transfer',
    'transferHint',
    'moved',
    'movedBack',
    'gotIt',
    'no',
    'offline',
    'reconnecting',
    'updated',
    'stale',
    'onlyHere',
  ],
  account: [
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
  ],
} as const satisfies Record<string, Names>;

/** A language's sentences by the script that brings them. */
export function parted(sentences: Sentences) {
  const pick = (isWanted: (name: keyof Sentences) => boolean) =>
    Object.fromEntries(Object.entries(sentences).filter(([name]) => isWanted(name as keyof Sentences)));
  const isOf = (names: Names) => (name: keyof Sentences) => names.includes(name);
  return {
    document: pick((name) => !Object.values<Names>(parts).some((names) => isOf(names)(name))),
    rest: pick(isOf(parts.rest)),
    account: pick(isOf(parts.account)),
  };
}
