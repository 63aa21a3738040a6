/** What the BFF says to the app of the operator's articles (`ARTICLES_DIR`). */

const idPattern = /^[a-z0-9-]{1,80}$/;

/** Whether a text can be the id of an article: the name of its file without `.md`. */
export const isArticleId = (text: string): boolean => idPattern.test(text);

/** The answer to `GET /articles`: under which hash the articles are served now. */
export interface CurrentArticles {
  hash: string;
}

/** One article in the list of a language. */
export interface ListedArticle {
  id: string;
  title: string;
  /** Its first paragraph, cut. */
  summary: string;
  /** Its place among the most useful; the lowest comes first. */
  pinned?: number;
  /** Tag of the language that it is in, where that is not the language of the list. */
  lang?: string;
}

/** An article as it is read. */
export interface Article {
  title: string;
  /** Tag and direction of its language, where that is not the one that was asked for. */
  lang?: string;
  dir?: 'ltr' | 'rtl';
  nodes: ArticleNode[];
}

/** A text stands as itself. */
export type ArticleNode = string | ArticleElement;

export type ArticleElement =
  | { type: 'paragraph' | 'emphasis' | 'strong' | 'blockquote' | 'item'; children: ArticleNode[] }
  | { type: 'heading'; level: 2 | 3 | 4; children: ArticleNode[] }
  /** `start`: the first number; without it the list has no numbers. */
  | { type: 'list'; start?: number; children: ArticleNode[] }
  | { type: 'inlineCode' | 'code'; text: string }
  /** `url`: http, https, mailto or tel. */
  | { type: 'link'; url: string; children: ArticleNode[] }
  /** To another article. */
  | { type: 'article'; id: string; children: ArticleNode[] }
  /** `path`: under `files` of the same hash. */
  | { type: 'image'; path: string; alt: string }
  /** The first row has the headings. */
  | { type: 'table'; rows: ArticleNode[][][] }
  | { type: 'thematicBreak' | 'break' };

/** The body of `POST /articles/{id}/votes`. */
export interface ArticleVote {
  helped: boolean;
}
