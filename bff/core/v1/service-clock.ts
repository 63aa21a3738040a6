import type { Clock } from '../clock.ts';

/** A `Date` has whole seconds, and an answer takes time to arrive. */
const agreeMs = 5_000;

/**
 * The ticket service's clock, from the `Date` headers of its answers. A single header is not trusted: it must agree
 * with the previous header, with the known clock or, at first, with our own clock. Unix milliseconds, whole.
 */
export function createServiceClock({ now, elapsed }: Clock) {
  /** The difference between the service's clock and our monotonic clock. Null: not known. */
  let leadMs: number | null = null;
  let lastLeadMs: number | null = null;

  const read = () => (leadMs === null ? null : Math.round(leadMs + elapsed()));

  return {
    /** Null until the clock is known. */
    now: read,

    /** Takes the `Date` header of an answer into account and returns the same as `now`. */
    observe(header: string): number | null {
      const dateMs = Date.parse(header);
      if (Number.isNaN(dateMs)) return read();
      const lead = dateMs - elapsed();
      const witnesses = [leadMs ?? now() - elapsed(), lastLeadMs ?? Infinity];
      if (witnesses.some((other) => Math.abs(lead - other) <= agreeMs)) leadMs = lead;
      lastLeadMs = lead;
      return read();
    },
  };
}

export type ServiceClock = ReturnType<typeof createServiceClock>;
