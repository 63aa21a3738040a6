import { Component, h, type VNode } from 'preact';
import { drawNodes, partId } from '../../../shared/text/draw.ts';
import { Bar, View } from '../ui/View.tsx';
import { Waiting } from '../ui/Waiting.tsx';
import type { View as Place } from '../view.ts';
import { type ArticleProps, AskButton, openArticle } from './controls.tsx';
import type { ArticleNode } from '../../../shared/contract/articles.ts';
import { Button } from '../ui/Button.tsx';

interface ArticlePageProps extends ArticleProps {
  place: Extract<Place, { name: 'article' }>;
}

/** One article, whether it helped, and the way to a new ticket. */
export class ArticlePage extends Component<ArticlePageProps> {
  /** The place that is scrolled to. */
  private shown: Place | null = null;

  override componentDidMount() {
    void this.load();
    this.scroll();
  }

  override componentDidUpdate() {
    this.scroll();
  }

  private scroll() {
    const { articles, place } = this.props;
    if (this.shown === place || !articles.read.peek().get(place.id)?.ok) return;
    const isFirst = this.shown === null;
    this.shown = place;
    const heading = place.part ? document.getElementById(partId(place.part)) : null;
    if (heading || !isFirst) (heading ?? document.querySelector('article'))?.scrollIntoView();
  }

  private async load() {
    const { app, articles, place } = this.props;
    await articles.open(place.id);
    const result = articles.read.peek().get(place.id);
    // An id from the host page may belong to no article; an article of a list may have been removed since.
    const isGone = result?.ok === false && result.error.code === 'not_found';
    if (isGone && app.view.current.peek() === place) app.view.go(place.back);
  }

  override render({ app, articles, place: { id, part, back } }: ArticlePageProps) {
    const result = articles.read.value.get(id);
    const article = result?.ok ? result.value : null;
    const { s, view } = app;
    return (
      <View app={app}>
        <Bar app={app} back={s.back} to={back}>
          {/* A new element for the title, so that it takes the focus and is read out. */}
          <h1 key={article ? 'title' : 'loading'} tabIndex={-1} data-focus="heading" lang={article?.lang}>
            {article?.title ?? s.loading}
          </h1>
        </Bar>
        {article ? (
          <div class="body">
            <article lang={article.lang} dir={article.dir}>
              <Nodes
                nodes={article.nodes}
                title={article.title}
                fileUrl={articles.fileUrl}
                part={part}
                onArticle={(...target) => openArticle({ view }, ...target)}
              />
            </article>
            <Helped articles={articles} id={id} />
            <AskButton app={app} />
          </div>
        ) : (
          <Waiting
            app={app}
            failure={result && !result.ok ? { code: null } : null}
            retry={() => articles.reload(id)}
          />
        )}
      </View>
    );
  }
}

function Helped({ articles, id }: Pick<ArticleProps, 'articles'> & { id: string }) {
  const { ask, yes, no, thanks, sorry } = articles.site.sentences;
  const given = articles.votes.value.get(id);
  const answer = (helped: boolean) => (event: { currentTarget: HTMLElement }) => {
    // Its button is removed. Without this the focus would move to the heading, far above.
    event.currentTarget.closest('section')?.querySelector('output')?.focus();
    articles.vote(id, helped);
  };
  return (
    <section class="helped">
      <output tabIndex={-1}>{given === undefined ? ask : given ? thanks : sorry}</output>
      {given === undefined && (
        <p>
          <Button label={yes} look="button quiet" onClick={answer(true)} />
          <Button label={no} look="button quiet" onClick={answer(false)} />
        </p>
      )}
    </section>
  );
}

interface NodesProps {
  nodes: readonly ArticleNode[];
  /** Title of the article, for elements without a name of their own. */
  title: string;
  fileUrl: (path: string) => string;
  /** The part that was asked for, whose heading takes the focus. */
  part: string | undefined;
  /** Shows an article, or a part of it. */
  onArticle: (id: string, part?: string) => void;
}

/** The nodes of an article as elements. SECURITY: never as HTML. */
function Nodes({ nodes, title, fileUrl, part, onArticle }: NodesProps) {
  return (
    <>
      {drawNodes(nodes, {
        create: (tag, attributes, children: (VNode | string)[]) => {
          const isPart = part !== undefined && attributes['id'] === partId(part);
          return h(tag, isPart ? { ...attributes, 'data-focus': 'part' } : attributes, ...children);
        },
        tableName: title,
        own: (node, within) =>
          node.type === 'image' ? (
            <img src={fileUrl(node.path)} alt={node.alt} loading="lazy" decoding="async" />
          ) : (
            <Button
              label={within(node.children)}
              look="link inline"
              onClick={() => onArticle(node.id, node.part)}
            />
          ),
      })}
    </>
  );
}
