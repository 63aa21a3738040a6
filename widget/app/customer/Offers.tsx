import { Moved } from './Moved.tsx';
import { Claim } from './Claim.tsx';
import { Transfer } from './Transfer.tsx';
import type { KnownProps } from '../shared.ts';

/** In the list of tickets: those of this customer that open on another device. */
export function OpenedElsewhere({ app }: KnownProps) {
  return (
    <>
      <Moved app={app} />
      <Claim app={app} />
    </>
  );
}

/** Shown in place of a conversation that this browser does not have: what the customer can do. */
export function Elsewhere({ app }: KnownProps) {
  const { s, session, customer, viewed, view } = app;
  if (customer.transferable.value > 0) return <Transfer app={app} />;
  if (!session.current.value) return null;
  const { moved, claimable, email_code } = session.current.value;
  if (claimable) return <Claim app={app} />;
  const isFound = email_code && !viewed.value;
  return (
    <div class="remedy" role="alert">
      <p>{moved ? s.moved : s.errors.not_found}</p>
      {!moved && !viewed.value && !email_code && <p>{s.onlyThere}</p>}
      <button
        type="button"
        class="button"
        onClick={() => view.go(isFound ? { name: 'find', next: view.current.peek().ref! } : { name: 'new' })}
      >
        {isFound ? s.find : s.newTicket}
      </button>
    </div>
  );
}
