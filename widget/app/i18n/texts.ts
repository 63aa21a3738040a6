/**
 * Sentences with the site's own texts in their place. A text is named by its path (`newTicket`, `fields.subject`,
 * `unread.other`); only texts over sentences count, so what a site sets cannot change the shape.
 */
export const withTexts = <T extends object>(sentences: T, texts: Record<string, unknown> = {}, at = ''): T =>
  Object.fromEntries(
    Object.entries(sentences).map(([name, sentence]: [string, string | object]) => {
      const text = texts[at + name];
      if (typeof sentence === 'object') return [name, withTexts(sentence, texts, `${at}${name}.`)];
      return [name, typeof text === 'string' ? text : sentence];
    }),
  ) as T;
