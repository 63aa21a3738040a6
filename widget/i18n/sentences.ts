import type { en } from './en.ts';

export type Plural = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;
type Shape<T> = T extends string
  ? string
  : T extends { other: string }
    ? Plural
    : { [Key in keyof T]: Shape<T[Key]> };

/** One language's sentences for panel, launcher and mails, in the shape of the English ones. */
export type Sentences = { [Key in keyof typeof en]: Shape<(typeof en)[Key]> };

/** Those that the panel shows; the rest is for the launcher and for mails. */
export type PanelSentences = Omit<Sentences, 'launcher' | 'codeMail'>;

export function panelSentences({
  launcher: _launcher,
  codeMail: _codeMail,
  ...panel
}: Sentences): PanelSentences {
  return panel;
}
