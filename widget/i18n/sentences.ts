import type { en } from './en.ts';

export type Plural = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;
type Shape<T> = T extends string
  ? string
  : T extends { other: string }
    ? Plural
    : { [Key in keyof T]: Shape<T[Key]> };

/** One language's sentences for panel, launcher and mails, in the shape of the English ones. */
export type Sentences = { [Key in keyof typeof en]: Shape<(typeof en)[Key]> };

/** Sentences of the views whose scripts are loaded after the conversation's (`widget/app/known.ts`). */
const laterNames = [
  'identifying',
  'identifyingSlow',
  'asNobody',
  'earlier',
  'arrived',
  'more',
  'quoted',
  'copyNumber',
  'download',
  'print',
  'writeAgain',
  'draft',
  'noPreviews',
  'findHint',
  'onlyThere',
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
  'signOut',
  'signedOut',
  'forget',
  'forgetHint',
  'forgotten',
  'claimable',
  'claim',
  'claimHint',
  'transferable',
  'transfer',
  'transferHint',
  'moved',
  'movedHint',
  'movedBack',
  'gotIt',
  'data',
] as const satisfies readonly (keyof Sentences)[];

type LaterName = (typeof laterNames)[number];

/** The panel's sentences that are in its document. */
export type PanelSentences = Omit<Sentences, LaterName | 'launcher' | 'codeMail' | 'ticketMail' | 'site'>;
/** The panel's sentences that are in a script of their own. */
export type LaterSentences = Pick<Sentences, LaterName>;

export function splitSentences({
  launcher: _launcher,
  codeMail: _codeMail,
  ticketMail: _ticketMail,
  site: _site,
  ...all
}: Sentences) {
  const isLater = ([name]: [string, unknown]) => (laterNames as readonly string[]).includes(name);
  const entries = Object.entries(all);
  return {
    panel: Object.fromEntries(entries.filter((entry) => !isLater(entry))) as unknown as PanelSentences,
    later: Object.fromEntries(entries.filter(isLater)) as unknown as LaterSentences,
  };
}
