import type { AttachedSentences } from '../../../shared/contract/site.ts';
import type { App } from '../app.ts';
import type { ShownMessage } from '../outbox/sends.ts';
import { adoptStyles } from '../ui/adopt-styles.ts';
import { Attached } from './Attached.tsx';
import css from './files-shown.css?inline';

/** Makes what draws the files of a message. `language`: BCP 47. */
export function createAttached(sentences: AttachedSentences, language: string) {
  adoptStyles(css);
  return (app: App, { files }: ShownMessage) => (
    <Attached app={app} files={files!} sentences={sentences} language={language} />
  );
}
