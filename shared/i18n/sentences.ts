import type { en } from './en.ts';

export type Plural = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;
type Shape<T> = T extends string
  ? string
  : T extends { other: string }
    ? Plural
    : { [Key in keyof T]: Shape<T[Key]> };

/** One language's sentences for panel, launcher and mails, in the shape of the English ones. */
export type Sentences = { [Key in keyof typeof en]: Shape<(typeof en)[Key]> };

/** The sentences that the document of the panel has. */
export type PanelSentences = Omit<Sentences, 'launcher' | 'codeMail' | 'lostMail' | 'ticketMail' | 'site'>;

export function panelSentences({
  launcher: _launcher,
  codeMail: _codeMail,
  lostMail: _lostMail,
  ticketMail: _ticketMail,
  site: _site,
  ...sentences
}: Sentences): PanelSentences {
  return sentences;
}
