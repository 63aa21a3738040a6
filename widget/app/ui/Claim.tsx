import type { SharedProps } from './shared.ts';

/** Tickets that somebody opened under the customer's address, and what taking them over means. */
export function Claim({ app: { s, count, session, customer } }: SharedProps) {
  const claimable = session.current.value?.claimable;
  if (!claimable) return null;
  return (
    <section class="moved">
      <p>{count(s.claimable, claimable)}</p>
      <button type="button" class="button" onClick={() => void customer.claim()}>
        {s.claim}
      </button>
      <p class="label">{s.claimHint}</p>
    </section>
  );
}
