import { Claim } from './Claim.tsx';
import { Moved } from './Moved.tsx';
import { Transfer } from './Transfer.tsx';
import type { KnownProps } from '../shared.ts';

/** Notices about tickets outside the list: moved away, from before the sign-in, or opened elsewhere. */
export function Offers({ app }: KnownProps) {
  return (
    <>
      <Moved app={app} />
      <Transfer app={app} />
      <Claim app={app} />
    </>
  );
}

/** Shown in place of a conversation that this customer does not have: why that may be, and what they can do. */
export function Elsewhere({ app }: KnownProps) {
  const { s, session, customer, view } = app;
  const { moved, claimable, email_code } = session.current.value ?? {};
  const { ref } = view.current.value;
  if (moved || claimable || customer.transferable.value > 0)
    return (
      <>
        <Transfer app={app} />
        <Moved app={app} />
        <Claim app={app} />
      </>
    );
  return (
    <div class="remedy" role="alert">
      <p>{s.errors.not_found}</p>
      {email_code && ref !== undefined && (
        <button type="button" class="button" onClick={() => view.go({ name: 'find', next: ref })}>
          {s.find}
        </button>
      )}
    </div>
  );
}
