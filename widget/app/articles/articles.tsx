import type { SiteArticles } from '../../../shared/contract/site.ts';
import { systemClock } from '../browser/clock.ts';
import { adoptStyles, fetchBff } from '../browser/page.ts';
import { importScript } from '../browser/deferred.ts';
import { createArticleApi } from './api.ts';
import css from './articles.css?inline';
import { type ArticleModel, createArticleModel } from './model.ts';
import { searchFieldId } from './controls.tsx';
import type { ComponentChild } from 'preact';
import { isArticleId } from '../../../shared/contract/articles.ts';
import type { App, SiteViews } from '../app.ts';
import { ArticlePage } from './ArticlePage.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Home, SearchPage, Suggestions } from './Search.tsx';

/** What articles add to the app. `language`: that of the document. */
export function createArticles(site: SiteArticles, language: string) {
  adoptStyles(css);
  const api = createArticleApi(fetchBff, site.hash, language);
  const importFinder = importScript(() => import('./find.ts'));
  const model = createArticleModel({ site, api, clock: systemClock, importFinder });
  // Text that was typed into the document's field before this script was loaded.
  const typed = document.querySelector<HTMLInputElement>(`#${searchFieldId}`)?.value;
  if (typed) model.search(typed);
  return articleViews(model);
}

/** The views of articles, in the places where the app renders them. */
export function articleViews(
  articles: ArticleModel,
): Pick<SiteViews, 'hasHome' | 'page' | 'suggestions' | 'search' | 'open'> {
  function page(app: App): ComponentChild {
    const place = app.view.current.value;
    if (place.name === 'article')
      return <ArticlePage key={place.id} app={app} articles={articles} place={place} />;
    if (place.name === 'search') return <SearchPage key="search" app={app} articles={articles} />;
    return place.name === 'start' && app.home.value === 'form' ? (
      <Home key="home" app={app} articles={articles} />
    ) : null;
  }
  return {
    hasHome: true,
    page,
    suggestions: (app) => <Suggestions app={app} articles={articles} />,
    search: ({ view }) => (
      <button
        type="button"
        class="button quiet search"
        onClick={() => view.go({ name: 'search', back: { name: 'start' } })}
      >
        <Icon name="search" />
        {articles.site.sentences.find}
      </button>
    ),
    open(view, id) {
      if (id === undefined) return;
      const back = { name: 'start' } as const;
      // SECURITY: it comes from the host page, and becomes part of a path.
      view.go(isArticleId(id) ? { name: 'article', id, back } : back);
    },
  };
}
