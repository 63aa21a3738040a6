import { signal } from '@preact/signals';
import { renderToString } from 'preact-render-to-string';
import type { Api } from './api/client.ts';
import type { Language } from '../i18n/languages.ts';
import { createWords } from './i18n/words.ts';
import { createDeferred } from './browser/deferred.ts';
import { createCore } from './core.ts';
import { createStore } from './browser/storage.ts';
import { App } from './App.tsx';

const never = () => new Promise<never>(() => {});
const noStorage = () => {
  throw new Error('there is no storage at build');
};

/** The HTML of the form for a new visitor, to be put into the document of a language at build. */
export function renderForm({ tag, sentences }: Language): string {
  const core = createCore({
    api: {} as Api,
    clock: { now: () => 0, after: () => () => {} },
    storage: createStore(noStorage),
    lock: never,
    newKey: () => '',
    pageUrl: () => undefined,
    isEmbedded: true,
    isExpected: false,
  });
  const app = {
    ...core,
    ...createWords(sentences, tag),
    settings: signal({}),
    site: signal(null),
    deferred: createDeferred<never>(never, () => {}),
    overlay: signal(null),
    reload: () => {},
    close: null,
  };
  return renderToString(<App app={app} />);
}
