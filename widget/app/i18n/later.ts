import type { LaterSentences } from '../../i18n/sentences.ts';

/** Imports the sentences of the document's language that are not in the document. */
export async function importLater(): Promise<LaterSentences> {
  const { href } = document.querySelector<HTMLLinkElement>('#later')!;
  const script = (await import(/* @vite-ignore */ href)) as { default: LaterSentences };
  return script.default;
}
