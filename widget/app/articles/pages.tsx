import type { ComponentChild } from 'preact';
import { isArticleId } from '../../../shared/contract/articles.ts';
import type { App, SiteViews } from '../app.ts';
import { ArticlePage } from './ArticlePage.tsx';
import { Icon } from '../ui/Icon.tsx';
import type { ArticleModel } from './model.ts';
import { Home, SearchPage } from './Search.tsx';
import { Suggestions } from './Suggestions.tsx';

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
