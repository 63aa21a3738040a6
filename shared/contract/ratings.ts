/* Ratings of conversations (`RATINGS=on`): what the app sends, and what a ticket tells of it. */

export const scores = [1, 2, 3, 4, 5] as const;
/** From very bad to very good. */
export type Score = (typeof scores)[number];

/** In UTF-16 units. */
export const maxRatingWord = 500;

/** Body of `PUT /api/tickets/{id}/rating`. It has `solved`, `score` or both, and replaces the customer's earlier one. */
export interface Rating {
  solved?: boolean | undefined;
  score?: Score | undefined;
  /** What the customer adds in their own words. */
  word?: string | undefined;
}

/**
 * Whether a customer is asked about a ticket. `not_solved`: they said so of the newest answer, and are asked again about
 * the next one. `done`: never again.
 */
export type RatingState = 'ask' | 'not_solved' | 'done';

/** A rating in the customer's stored data. */
export interface StoredRating {
  solved: boolean | null;
  score: number | null;
  word: string | null;
  /** ISO 8601 UTC. */
  rated_at: string;
}

export const ratingPath = (ticketId: string) => `/api/tickets/${encodeURIComponent(ticketId)}/rating`;
