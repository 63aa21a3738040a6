import { english, languages } from '../../../shared/i18n/languages.ts';
import type { Article, ListedArticle } from '../../../shared/contract/articles.ts';
import type { ParsedArticle } from './markdown.ts';
import type { FolderContent, Image } from './read-folder.ts';
import { makeIndex } from './reader.ts';
import { nameOf } from './references.ts';

interface Shown {
  /** Tag of the article's language. */
  tag: string;
  article: ParsedArticle;
}

const languageOf = (tag: string) => languages.find((language) => language.tag === tag) ?? english;

/** One reading of the folder, with its articles in every language of the widget. */
export function createEdition({ hash, articles, images }: FolderContent) {
  const ids = [...new Set([...articles.values()].flatMap((ofLanguage) => [...ofLanguage.keys()]))].toSorted();
  const order = new Map(languages.map(({ tag }, place) => [tag, place]));
  /** English, then the order of the widget's list. */
  const fallbackTags = [...articles.keys()].toSorted((a, b) => order.get(a)! - order.get(b)!);

  /** An article in this language, else in English, else in the first that has it. */
  function find(tag: string, id: string): Shown | null {
    for (const each of [tag, english.tag, ...fallbackTags]) {
      const article = articles.get(each)?.get(id);
      if (article) return { tag: each, article };
    }
    return null;
  }

  let lastIndex: Promise<unknown> = Promise.resolve();
  const isKnown = (tag: string) => order.has(tag);
  const inLanguage = (tag: string) =>
    ids.flatMap((id) => {
      const shown = find(tag, id);
      return shown ? [{ id, ...shown }] : [];
    });

  return {
    hash,
    /** Whether any language has an article of this id. */
    has: (id: string): boolean => find(english.tag, id) !== null,

    /** By title, the pinned ones first. Null for a tag that is not a language of the widget. */
    list(tag: string): ListedArticle[] | null {
      if (!isKnown(tag)) return null;
      const { compare } = new Intl.Collator(tag);
      return inLanguage(tag)
        .map(({ id, tag: own, article: { title, summary, pinned } }) => ({
          id,
          title,
          summary,
          ...(pinned !== undefined && { pinned }),
          ...(own !== tag && { lang: own }),
        }))
        .toSorted((a, b) => pinOf(a) - pinOf(b) || compare(a.title, b.title));
    },

    /** Null where there is no such article. */
    article(tag: string, id: string): Article | null {
      const shown = isKnown(tag) ? find(tag, id) : null;
      if (!shown) return null;
      const { title, nodes } = shown.article;
      const isOther = shown.tag !== tag;
      return { title, ...(isOther && { lang: shown.tag, dir: languageOf(shown.tag).dir }), nodes };
    },

    /** The search index for the app, as text. Null as with `list`. One is made at a time, since each takes much memory. */
    async search(tag: string): Promise<string | null> {
      if (!isKnown(tag)) return null;
      const own = lastIndex
        .catch(() => {})
        .then(() =>
          makeIndex(inLanguage(tag).map(({ id, article: { title, text } }) => ({ id, title, text }))),
        );
      lastIndex = own;
      return own;
    },

    image: (path: string): Image | undefined => images.get(nameOf(path)),
  };
}

export type Edition = ReturnType<typeof createEdition>;

/** Articles that are not pinned come last. */
export const pinOf = ({ pinned = Number.MAX_SAFE_INTEGER }: ListedArticle) => pinned;
