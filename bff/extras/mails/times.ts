/** Intervals and time limits of mails about tickets, in milliseconds. */

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** The least time between two mails about one ticket. */
export const betweenMailsMs = 15 * minuteMs;
/** A mail that could not be sent for this long is given up. */
export const givenUpAfterMs = { answer: 3 * dayMs, confirmation: dayMs } as const;
/**
 * How long one process may act on a mail alone. Must be longer than reading the ticket and sending the mail can take.
 */
export const mailLeaseMs = 2 * minuteMs;

const firstRetryMs = 15_000;
const longestRetryMs = 30 * minuteMs;
/** The pause before a mail is tried again after `attempts` failures. */
export const retryMs = (attempts: number): number =>
  Math.min(firstRetryMs * 2 ** Math.min(attempts, 10), longestRetryMs);

/** How long after the customer's last message a ticket is read for answers. */
export const followMs = 14 * dayMs;
export const firstReadMs = minuteMs;
const longestPauseMs = hourMs;
/** The fraction of the quiet time after which a ticket is read again. */
const partOfQuiet = 1 / 10;

/**
 * The pause before a ticket is read again for a customer without an open page. `quietMs`: the time since its last
 * event.
 */
export const readPauseMs = (quietMs: number): number =>
  Math.min(Math.max(quietMs * partOfQuiet, firstReadMs), longestPauseMs);
