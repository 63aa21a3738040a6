const base = '/articles';

/**
 * The routes for articles, which exist only where the operator has some. `hash` changes with any article, so the
 * content under a hash never changes. They have a file of their own so that the app loads it with their views.
 */
export const articlePaths = {
  /** Answers the current hash. */
  current: base,
  list: (hash: string, language: string) => `${base}/${hash}/${language}.json`,
  search: (hash: string, language: string) => `${base}/${hash}/search.${language}.json`,
  article: (hash: string, language: string, id: string) => `${base}/${hash}/${language}/${id}.json`,
  /** `path` is that of an image node. */
  file: (hash: string, path: string) =>
    `${base}/${hash}/files/${path.split('/').map(encodeURIComponent).join('/')}`,
  votes: (id: string) => `${base}/${id}/votes`,
} as const;
