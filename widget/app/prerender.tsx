import { signal } from '@preact/signals';
import { renderToString } from 'preact-render-to-string';
import type { Api } from './api/client.ts';
import type { ArticleApi } from './articles/api.ts';
import { createArticleModel } from './articles/model.ts';
import { SearchField } from './articles/Search.tsx';
import type { Language } from '../../shared/i18n/languages.ts';
import { createWords } from './i18n/words.ts';
import { createDeferred } from './browser/deferred.ts';
import type { App } from './app.ts';
import { createModels } from './models.ts';
import { createStore } from './browser/storage.ts';
import { Panel } from './Panel.tsx';
import { Hero } from './ui/Hero.tsx';
import { View } from './ui/View.tsx';

const never = () => new Promise<never>(() => {});
const noStorage = () => {
  throw new Error('there is no storage at build');
};

/** The app of a new visitor, without any data. */
function appOf({ tag, sentences }: Language): App {
  const models = createModels({
    browser: {
      connect: () => ({}) as Api,
      clock: { now: () => 0, after: () => () => {} },
      storage: createStore(noStorage),
      lock: never,
      join: () => ({ broadcast() {}, requestLead() {}, leave() {} }),
      newKey: () => '',
    },
    pageUrl: () => undefined,
    isEmbedded: true,
    isExpected: false,
    onEvent() {},
    onArrival() {},
    askForToken() {},
  });
  const script = createDeferred<never>(never);
  return {
    ...models,
    ...createWords(sentences, tag),
    settings: signal({}),
    site: null,
    scripts: { conversation: script, returning: script, account: script },
    overlay: signal(null),
    reload: () => {},
    close: null,
    siteLink: null,
  };
}

/** The HTML of the form for a new visitor, to be put into the document of a language at build. */
export const renderForm = (language: Language): string => renderToString(<Panel app={appOf(language)} />);

/**
 * The same of the start view where there are articles, as far as it can be drawn without them. The button after them is
 * left out: it would do nothing before the scripts are loaded.
 */
export function renderHome(language: Language): string {
  const app = appOf(language);
  const { site, no } = language.sentences;
  const articles = createArticleModel({
    site: { hash: '', top: [], sentences: { ...site.articles, no } },
    api: {} as ArticleApi,
    clock: { now: () => 0, after: () => () => {} },
    importFinder: never,
  });
  return renderToString(
    <div class="panel">
      <View app={app}>
        <Hero app={app} />
        <div class="body">
          <SearchField app={app} articles={articles} />
        </div>
      </View>
    </div>,
  );
}
