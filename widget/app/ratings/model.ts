import { type Rating, ratingPath } from '../../../shared/contract/ratings.ts';
import type { Ticket } from '../../../shared/contract/tickets.ts';
import type { Api } from '../api/client.ts';

type AskedTicket = Pick<Ticket, 'id' | 'rating'>;

/**
 * Whether the customer is asked about an answer, and what they say. The BFF decides for conversations as they were when
 * they were read; this module for what has happened since. It knows nothing of what is on screen.
 */
export function createRatingModel() {
  /** What the customer has said on this page, by ticket: `isFinal`, or "not yet" to this answer. */
  const said = new Map<string, { isFinal: boolean; answer: string }>();
  let last: Promise<unknown> = Promise.resolve();

  return {
    /** `answer`: id of the newest message, which is support's. */
    isAsked({ id, rating }: AskedTicket, answer: string): boolean {
      if (id === null || rating === undefined || rating === 'done') return false;
      const known = said.get(id);
      if (known) return !known.isFinal && known.answer !== answer;
      // They said so of an answer that the BFF knew then: the newest one is not newer than that.
      if (rating === 'not_solved') said.set(id, { isFinal: false, answer });
      return rating === 'ask';
    },

    /** Stores what the customer says, after what they said before. False when that failed. */
    say(api: Pick<Api, 'ofOwner'>, ticketId: string, answer: string, rating: Rating): Promise<boolean> {
      said.set(ticketId, { isFinal: rating.solved !== false, answer });
      const put = () => api.ofOwner(ratingPath(ticketId), null, { method: 'PUT', body: rating });
      const saying = last.then(put);
      last = saying;
      return saying.then(({ ok }) => ok);
    },
  };
}

export type RatingModel = ReturnType<typeof createRatingModel>;
