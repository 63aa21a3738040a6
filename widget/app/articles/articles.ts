import type { SiteArticles } from '../../../shared/contract/site.ts';
import { systemClock } from '../browser/clock.ts';
import { fetchBff } from '../browser/page.ts';
import { importScript } from '../browser/import-script.ts';
import { adoptStyles } from '../ui/adopt-styles.ts';
import { createArticleApi } from './api.ts';
import css from './articles.css?inline';
import { createArticleModel } from './model.ts';
import { articleViews } from './pages.tsx';
import { searchFieldId } from './controls.tsx';

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
