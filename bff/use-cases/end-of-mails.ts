import { stopPage, stopPageStyleHash } from '../mail/stop-page.ts';
import type { Notices } from '../notify/notices.ts';
import type { Suppressions } from '../notify/suppressions.ts';

/** How whoever has a mail about a ticket ends these mails. The token of its link is all that is asked for. */
export function createEndOfMails(deps: {
  suppressions: Pick<Suppressions, 'readToken' | 'add'>;
  notices: Pick<Notices, 'removeOf'>;
  /** The operator's name, or the host. */
  brand: string;
}) {
  const { suppressions, notices, brand } = deps;

  return {
    isKnown: (token: string): boolean => suppressions.readToken(token) !== null,

    /** False for what is no token of ours. It can be called again and again. */
    async end(token: string): Promise<boolean> {
      const hash = suppressions.readToken(token);
      if (hash === null) return false;
      await suppressions.add(hash, 'unsubscribed');
      await notices.removeOf(hash);
      return true;
    },

    /** What is shown before and after, in the language with this tag. */
    page: async (language: string, isDone: boolean) => ({
      html: await stopPage({ brand, language, isDone }),
      styleHash: stopPageStyleHash,
    }),
  };
}

export type EndOfMails = ReturnType<typeof createEndOfMails>;
