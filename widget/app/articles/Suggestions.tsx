import { Component } from 'preact';
import { type ArticleProps, ArticleList } from './controls.tsx';

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
