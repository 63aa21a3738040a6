import type { Clock } from '../clock.ts';

/** A `Date` has whole seconds, and an answer may be on its way for a while. */
const agreeMs = 5_000;

/**
 * The ticket service's clock, as the `Date` of its answers tells it. One answer alone is not believed: the last one, what
 * is believed already or, at first, our own clock must agree with it. Unix milliseconds, whole.
 */
export function createServiceClock({ now, elapsed }: Clock) {
  /** How far the service's clock is ahead of the one here that nobody can set; null: not known. */
  let leadMs: number | null = null;
  let lastLeadMs: number | null = null;

  const read = () => (leadMs === null ? null : Math.round(leadMs + elapsed()));

  return {
    /** Going on from the last answer that was believed; null before one was. */
    now: read,

    /** The same once this answer's `Date` is heard, if it has one. */
    hear(header: string): number | null {
      const told = Date.parse(header);
      if (Number.isNaN(told)) return read();
      const lead = told - elapsed();
      const witnesses = [leadMs ?? now() - elapsed(), lastLeadMs ?? Infinity];
      if (witnesses.some((other) => Math.abs(lead - other) <= agreeMs)) leadMs = lead;
      lastLeadMs = lead;
      return read();
    },
  };
}
