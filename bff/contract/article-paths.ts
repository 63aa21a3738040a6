const base = '/articles';

/**
 * The routes for articles, which are there only where the operator has some. `hash` changes with any of them, so what is
 * behind one never changes. A file of its own, so that the app fetches it with the views of that.
 */
export const articlePaths = {
  /** Which hash is the current one. */
  current: base,
  list: (hash: string, language: string) => `${base}/${hash}/${language}.json`,
  search: (hash: string, language: string) => `${base}/${hash}/search.${language}.json`,
  article: (hash: string, language: string, id: string) => `${base}/${hash}/${language}/${id}.json`,
  /** `path`: as the node of an image has it. */
  file: (hash: string, path: string) =>
    `${base}/${hash}/files/${path.split('/').map(encodeURIComponent).join('/')}`,
  votes: (id: string) => `${base}/${id}/votes`,
} as const;
