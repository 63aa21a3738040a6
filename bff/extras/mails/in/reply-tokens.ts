import type { Core } from '../../../core/wiring.ts';
import { type Mailbox, tokenPlace } from '../sender-address.ts';
import type { NoticeRow } from '../tables.ts';

/*
 * The tokens in mails about tickets, by which answers find them. A token is for one ticket and one address. It is made from a
 * keyed hash, so that a mail can be sent again with the same token, and the store has only a hash of it.
 */

const dayMs = 86_400_000;
/** How long mails to one address about one ticket have the same token. */
const renewedMs = 30 * dayMs;
/** How long an answer is accepted. */
export const tokenMs = 180 * dayMs;

/** 160 bits in the alphabet of base32, in lower case: some mail programs and servers fold the part before the @. */
const tokenLength = 32;
const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';
const words = /[a-z0-9]+/g;
const isToken = (word: string) => word.length === tokenLength && !/[0189]/.test(word);
/** Of one mail. */
const maxCandidates = 200;

const base32 = (bytes: Uint8Array) =>
  Array.from(bytes.subarray(0, tokenLength), (byte) => alphabet[byte % alphabet.length]).join('');

/** The texts in these that may be tokens, in their order, without repeats. */
export const tokensIn = (texts: Iterable<string>): string[] => {
  const found = new Set<string>();
  for (const text of texts)
    for (const [word] of text.toLowerCase().matchAll(words)) {
      if (!isToken(word)) continue;
      found.add(word);
      if (found.size === maxCandidates) return [...found];
    }
  return [...found];
};

/** Tells to which ticket an answer belongs. */
export interface ReplyToken {
  replyTo: Mailbox;
  /** Stands in the ids of the mail, which an answer names too, wherever it is addressed to. */
  id: string;
}

/** What a token is for. */
export interface FoundToken {
  ticketId: string;
  /** Keyed hash of the address that it was mailed to. */
  addressHash: string;
}

/** @param replyTo where answers go, with `{token}` where the server has addresses with a suffix */
export function createReplyTokens(
  { store, seal, now }: Pick<Core, 'store' | 'seal' | 'now'>,
  replyTo: Mailbox,
) {
  const hashOf = (token: string) => seal.hash('reply token', token);

  const tokenOf = (ticketId: string, addressHash: string, issuedAt: number) =>
    base32(
      seal
        .hmac('token of replies')
        .update(JSON.stringify([ticketId, addressHash, issuedAt]))
        .digest(),
    );

  return {
    /** The address by which an answer to a mail finds its ticket, and a part of the mail's ids. */
    async of(notice: Pick<NoticeRow, 'ticket_id' | 'address_hash'>): Promise<ReplyToken> {
      const { ticket_id: ticketId, address_hash: addressHash } = notice;
      const newest = await store
        .selectFrom('reply_tokens')
        .select(({ fn }) => fn.max('issued_at').as('at'))
        .where('ticket_id', '=', ticketId)
        .where('address_hash', '=', addressHash)
        .executeTakeFirst();
      const at = now();
      const age = newest?.at === undefined || newest.at === null ? Infinity : at - newest.at;
      // One in the future is of a clock that was set back since.
      const issuedAt = age >= 0 && age < renewedMs ? newest!.at : at;
      const token = tokenOf(ticketId, addressHash, issuedAt);
      if (issuedAt === at)
        await store
          .insertInto('reply_tokens')
          .values({
            token_hash: hashOf(token),
            ticket_id: ticketId,
            address_hash: addressHash,
            issued_at: at,
          })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      return { replyTo: { ...replyTo, address: replyTo.address.replace(tokenPlace, token) }, id: token };
    },

    /** What the first of these that is a valid token is for. */
    async find(candidates: readonly string[]): Promise<FoundToken | null> {
      if (candidates.length === 0) return null;
      const hashes = candidates.map(hashOf);
      const rows = await store
        .selectFrom('reply_tokens')
        .selectAll()
        .where('token_hash', 'in', hashes)
        .where('issued_at', '>', now() - tokenMs)
        .execute();
      const [first] = rows.toSorted((a, b) => hashes.indexOf(a.token_hash) - hashes.indexOf(b.token_hash));
      return first ? { ticketId: first.ticket_id, addressHash: first.address_hash } : null;
    },

    /** From now on, answers to mails that this address has got open no ticket. */
    async revoke(addressHash: string): Promise<number> {
      const { numDeletedRows } = await store
        .deleteFrom('reply_tokens')
        .where('address_hash', '=', addressHash)
        .executeTakeFirst();
      return Number(numDeletedRows);
    },

    /** Removes up to `limit` tokens that are not accepted any more, and returns how many. */
    async removeOld(limit: number): Promise<number> {
      const { numDeletedRows } = await store
        .deleteFrom('reply_tokens')
        .where('token_hash', 'in', ({ selectFrom }) =>
          selectFrom('reply_tokens as old')
            .select('old.token_hash')
            .where('old.issued_at', '<=', now() - tokenMs)
            .limit(limit),
        )
        .executeTakeFirst();
      return Number(numDeletedRows);
    },

    /** Whether this is an address that our mails name for answers. */
    isOwn(address: string): boolean {
      const [before = '', after = ''] = replyTo.address.toLowerCase().split(tokenPlace);
      const given = address.toLowerCase();
      return (
        given === replyTo.address.toLowerCase() ||
        (after !== '' && given.startsWith(before) && given.endsWith(after))
      );
    },
  };
}

export type Tokens = ReturnType<typeof createReplyTokens>;
