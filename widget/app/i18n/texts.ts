/**
 * Replaces sentences by the site's own texts, which are named by path (`newTicket`, `fields.subject`, `unread.other`).
 * Unknown paths and values other than strings are ignored, so the shape cannot change.
 */
export const withTexts = <T extends object>(sentences: T, texts: Record<string, unknown> = {}, at = ''): T =>
  Object.fromEntries(
    Object.entries(sentences).map(([name, sentence]: [string, string | object]) => {
      const text = texts[at + name];
      if (typeof sentence === 'object') return [name, withTexts(sentence, texts, `${at}${name}.`)];
      return [name, typeof text === 'string' ? text : sentence];
    }),
  ) as T;
