import { Component, type TargetedKeyboardEvent } from 'preact';
import { fill } from '../i18n/words.ts';
import { Bar, View } from '../ui/View.tsx';
import { inInputMethod } from '../ui/Field.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Hero } from '../ui/Hero.tsx';
import { Waiting } from '../ui/Waiting.tsx';
import { ArticleList, type ArticleProps, AskButton, searchFieldId } from './controls.tsx';

/** The start of a customer without tickets: search, the most useful articles, and a new ticket. */
export function Home({ app, articles }: ArticleProps) {
  return (
    <View app={app}>
      <Hero app={app} />
      <div class="body">
        <SearchField app={app} articles={articles} />
        {app.site && <app.site.Links app={app} />}
        <div class="send-row">
          <AskButton app={app} />
        </div>
      </div>
    </View>
  );
}

/** The view with the search only, for customers with tickets. */
export function SearchPage({ app, articles }: ArticleProps) {
  const { back } = app.view.current.value;
  return (
    <View app={app}>
      <Bar app={app} back={app.s.back} {...(back && { to: back })} title={articles.site.sentences.find} />
      <div class="body">
        <SearchField app={app} articles={articles} />
        <div class="send-row">
          <AskButton app={app} />
        </div>
      </div>
    </View>
  );
}

/** The field, and what it finds; the most useful articles while it is empty. */
export function SearchField({ app, articles }: ArticleProps) {
  const { site, query, search } = articles;
  const { sentences } = site;
  function clear() {
    search('');
    document.getElementById(searchFieldId)!.focus();
  }
  function clearOnEscape(event: TargetedKeyboardEvent<HTMLInputElement>) {
    if (event.key !== 'Escape' || event.keyCode === inInputMethod || query.peek() === '') return;
    // Escape closes the panel only where there is nothing else to end.
    event.preventDefault();
    search('');
  }
  return (
    <>
      <search class="field search">
        <label class="unseen" for={searchFieldId}>
          {sentences.search}
        </label>
        <input
          id={searchFieldId}
          type="search"
          maxLength={200}
          // An empty field has the direction of its placeholder, which is the panel's.
          dir={query.value ? 'auto' : undefined}
          autoComplete="off"
          placeholder={sentences.search}
          data-focus="field"
          value={query.value}
          onInput={(event) => search(event.currentTarget.value)}
          onKeyDown={clearOnEscape}
        />
        <Icon name="search" />
        {query.value && (
          // Not for the keyboard and screen readers, which have Escape: as the browser's own button.
          <button type="button" class="icon-button" tabIndex={-1} aria-hidden="true" onClick={clear}>
            <Icon name="close" />
          </button>
        )}
      </search>
      {query.value.trim() ? (
        <Results app={app} articles={articles} />
      ) : (
        site.top.length > 0 && (
          <section>
            <h2>{sentences.top}</h2>
            <ArticleList app={app} label={sentences.top} list={site.top} />
          </section>
        )
      )}
    </>
  );
}

function Results({ app, articles }: ArticleProps) {
  const { results, searchFailure, retrySearch, site } = articles;
  const { find, found, none } = site.sentences;
  const list = results.value;
  if (!list || searchFailure.value)
    return <Waiting app={app} failure={searchFailure.value && { code: null }} retry={retrySearch} />;
  return (
    <section>
      <output class="label">{list.length > 0 ? fill(found, { count: String(list.length) }) : none}</output>
      <ArticleList app={app} label={find} list={list} />
    </section>
  );
}

/** Articles that may answer the message, below its field. */
export class Suggestions extends Component<ArticleProps> {
  override componentDidMount() {
    this.props.articles.suggest(this.props.app.newTicket.fields.peek().description);
  }

  override componentDidUpdate() {
    this.componentDidMount();
  }

  override render({ app, articles }: ArticleProps) {
    // It is rendered at each letter, and then updates the suggestions.
    void app.newTicket.fields.value.description;
    const list = articles.suggestions.value;
    const { suggested } = articles.site.sentences;
    return (
      <div class="suggested">
        <output>{list.length > 0 && suggested}</output>
        {list.length > 0 && (
          <ArticleList
            app={app}
            label={suggested}
            list={list.map(({ id, title, lang }) => ({ id, title, ...(lang && { lang }) }))}
          />
        )}
      </div>
    );
  }
}
