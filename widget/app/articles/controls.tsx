import type { Shared, SharedProps } from '../shared.ts';
import type { ArticleModel } from './model.ts';

export const searchFieldId = 'article-search';

/** For views of articles. */
export interface ArticleProps extends SharedProps {
  articles: ArticleModel;
}

interface Linked {
  id: string;
  title: string;
  lang?: string;
  summary?: string;
}

/** Shows an article; "Back" leads to what is on screen now. */
export const openArticle = ({ view }: Pick<Shared, 'view'>, id: string): void =>
  view.go({ name: 'article', id, back: view.current.peek() });

/** Articles to choose from, in a list with this label. */
export function ArticleList({ app, label, list }: SharedProps & { label: string; list: readonly Linked[] }) {
  return (
    <ul class="articles" aria-label={label}>
      {list.map(({ id, title, lang, summary }) => (
        <li key={id} lang={lang}>
          <button type="button" onClick={() => openArticle(app, id)}>
            <b>{title}</b>
            {summary && <span>{summary}</span>}
          </button>
        </li>
      ))}
    </ul>
  );
}
