/** How many operations are sent or settled at once. */
export const mostAtOnce = 64;
/** Of those that polls find. A service that was down for long must not get all that has waited for it at once. */
export const mostFoundAtOnce = 16;
/** How many accepted operations are kept for the next free places. Further ones are found by a poll. */
export const mostAccepted = 256;
/**
 * The pause between polls for the operations that waited for another one to end, and for those of other processes. The
 * longer pause is for the time when accepted operations take every place.
 */
export const pollEveryMs = 25;
export const pollEveryMsWhenFull = 250;
