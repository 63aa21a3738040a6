/** How many operations are sent or settled at once. */
export const mostAtOnce = 64;
/** Of those that polls find. A service that was down for long must not get all that has waited for it at once. */
export const mostFoundAtOnce = 16;
/** How many accepted operations are kept for the next free places. Further ones are found by a poll. */
export const mostAccepted = 256;
/**
 * The shortest time from one poll to the next, for operations that other processes have accepted or abandoned. The
 * longer time is for when accepted operations take every place.
 */
export const minPollGapMs = 25;
export const minPollGapWhenFullMs = 250;
