import { h } from 'preact';
import type { AttachedSentences } from '../../../shared/contract/site.ts';
import type { App } from '../app.ts';
import { createSizes } from '../files/sizes.ts';
import type { ShownMessage } from '../outbox/sends.ts';
import { adoptStyles } from '../ui/adopt-styles.ts';
import { Attached } from './Attached.tsx';
import css from './files-shown.css?inline';

/** Makes what draws the files of a message. `language`: BCP 47. */
export function createAttached(sentences: AttachedSentences, language: string) {
  adoptStyles(css);
  const sizes = createSizes(language);
  return (app: App, { files }: ShownMessage) => h(Attached, { app, files: files!, sentences, sizes });
}
