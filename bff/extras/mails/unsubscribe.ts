import { unsubscribePage, unsubscribePageStyleHash } from './unsubscribe-page.ts';
import type { Notices } from './notices.ts';
import type { Suppressions } from './suppressions.ts';

/** Unsubscribes the recipient of a mail about a ticket. Only the token of its link is required. */
export function createUnsubscribe(deps: {
  suppressions: Pick<Suppressions, 'readToken' | 'add'>;
  notices: Pick<Notices, 'removeOf'>;
  /** The operator's name, or the host. */
  brand: string;
}) {
  const { suppressions, notices, brand } = deps;

  return {
    isKnown: (token: string): boolean => suppressions.readToken(token) !== null,

    /** Returns false when the token is not ours. Can be called repeatedly. */
    async end(token: string): Promise<boolean> {
      const hash = suppressions.readToken(token);
      if (hash === null) return false;
      await suppressions.add(hash, 'unsubscribed');
      await notices.removeOf(hash);
      return true;
    },

    /** The page before and after unsubscribing, in the language with this tag. */
    page: async (language: string, isDone: boolean) => ({
      html: await unsubscribePage({ brand, language, isDone }),
      styleHash: unsubscribePageStyleHash,
    }),
  };
}

export type Unsubscribe = ReturnType<typeof createUnsubscribe>;
