import type { NodeOf } from '../text/nodes.ts';

/** The types of the operator's articles (`ARTICLES_DIR`), as the BFF sends them to the app. */

const idPattern = /^[a-z0-9-]{1,80}$/;

/** Whether a text can be the id of an article: the name of its file without `.md`. */
export const isArticleId = (text: string): boolean => idPattern.test(text);

/** The answer to `GET /articles`: the hash under which the articles are served now. */
export interface CurrentArticles {
  hash: string;
}

/** One article in the list of a language. */
export interface ListedArticle {
  id: string;
  title: string;
  /** Its first paragraph, shortened. */
  summary: string;
  /** Its place among the most useful articles, lowest first. */
  pinned?: number;
  /** Tag of its language, where it differs from that of the list. */
  lang?: string;
}

/** An article with its content. */
export interface Article {
  title: string;
  /** Tag and direction of its language, where it differs from the requested one. */
  lang?: string;
  dir?: 'ltr' | 'rtl';
  nodes: ArticleNode[];
}

/** A link to an article. */
interface ArticleLink {
  type: 'article';
  id: string;
  /** Id of the heading where it begins. */
  part?: string;
  children: ArticleNode[];
}

/** `path` is below `files` of the same hash. */
interface ArticleImage {
  type: 'image';
  path: string;
  alt: string;
}

export type ArticleNode = NodeOf<ArticleLink | ArticleImage>;

/** The body of `POST /articles/{id}/votes`. */
export interface ArticleVote {
  helped: boolean;
}
