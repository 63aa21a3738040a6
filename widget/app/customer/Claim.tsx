import type { KnownProps } from '../shared.ts';

/** Offers tickets that were opened under the customer's address elsewhere. */
export function Claim({ app: { s, count, session, offers } }: KnownProps) {
  const claimable = session.current.value?.claimable;
  if (!claimable) return null;
  return (
    <section class="moved">
      <p>{count(s.claimable, claimable)}</p>
      <button type="button" class="button" onClick={() => void offers.claim()}>
        {s.claim}
      </button>
      <p class="label">{s.claimHint}</p>
    </section>
  );
}
