import { dismissMoved } from './offers.ts';
import { Claim } from './Claim.tsx';
import { Transfer } from './Transfer.tsx';
import type { AppProps } from '../app.ts';

/** In the list of tickets: those of this customer that open on another device. */
export function OpenedElsewhere({ app }: AppProps) {
  return (
    <>
      <Moved app={app} />
      <Claim app={app} />
    </>
  );
}

/** Shown in place of a conversation that this browser does not have: what the customer can do. */
export function Elsewhere({ app }: AppProps) {
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

/** Says in the list that tickets open on another device, and how they open here too. It does not name the address. */
function Moved({ app }: AppProps) {
  const { s, session, view } = app;
  const { moved, email_code } = session.current.value ?? {};
  if (!moved) return null;
  return (
    <li class="ticket elsewhere">
      <span class="ticket-subject">{s.conversation}</span>
      <span class="ticket-preview">
        {s.moved} {email_code && s.movedBack}
      </span>
      <span class="ticket-line">
        {email_code && (
          <button type="button" class="link" onClick={() => view.go({ name: 'find' })}>
            {s.sendCode}
          </button>
        )}
        <button type="button" class="link" onClick={() => void dismissMoved(app)}>
          {s.gotIt}
        </button>
      </span>
    </li>
  );
}
