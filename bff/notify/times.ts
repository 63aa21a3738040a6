/** When mails about tickets are sent, and how long. In milliseconds. */

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Between two mails about one ticket. */
export const betweenMailsMs = 15 * minuteMs;
/** What could not be mailed for so long is not mailed any more. */
export const givenUpAfterMs = { answer: 3 * dayMs, confirmation: dayMs } as const;
/** How long one process may act on a mail alone: longer than reading the ticket and sending it can take. */
export const mailLeaseMs = 2 * minuteMs;

const firstRetryMs = 15_000;
const longestRetryMs = 30 * minuteMs;
/** Until a mail that the mail server did not take is tried again; `attempts` have failed before. */
export const retryMs = (attempts: number): number =>
  Math.min(firstRetryMs * 2 ** Math.min(attempts, 10), longestRetryMs);

/** So long after the customer's last message an answer is looked for. */
export const followMs = 14 * dayMs;
export const firstReadMs = minuteMs;
const longestPauseMs = hourMs;
/** A ticket is read again after this part of the time in which nothing happened. */
const partOfQuiet = 1 / 10;

/** Until the ticket is read again for its customer, who has no page open. `quietMs`: since something happened in it. */
export const readPauseMs = (quietMs: number): number =>
  Math.min(Math.max(quietMs * partOfQuiet, firstReadMs), longestPauseMs);
