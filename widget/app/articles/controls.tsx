import type { App, AppProps } from '../app.ts';
import { NewTicketButton } from '../ui/Button.tsx';
import type { ArticleModel } from './model.ts';

export const searchFieldId = 'article-search';

/** For views of articles. */
export interface ArticleProps extends AppProps {
  articles: ArticleModel;
}

/** The way to a new ticket, unless the page wants only articles outside the hours of support. */
export function AskButton({ app }: AppProps) {
  const { settings, home, site, isOpen } = app;
  // Looked up again when the panel is opened.
  void isOpen.value;
  const isHidden =
    settings.value.whenClosed === 'articles' && home.value === 'form' && site?.isClosed(Date.now());
  return isHidden ? null : <NewTicketButton app={app} />;
}

interface Linked {
  id: string;
  title: string;
  lang?: string;
  summary?: string;
}

/** Shows an article, or a part of it; "Back" leads to what is on screen now, if that is not the same article. */
export function openArticle({ view }: Pick<App, 'view'>, id: string, part?: string): void {
  const now = view.current.peek();
  view.go({ name: 'article', id, part, back: now.name === 'article' && now.id === id ? now.back : now });
}

/** Articles to choose from, in a list with this label. */
export function ArticleList({ app, label, list }: AppProps & { label: string; list: readonly Linked[] }) {
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
