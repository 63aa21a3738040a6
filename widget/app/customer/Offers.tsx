import type { AppProps } from '../app.ts';
import { TaskStatus } from '../ui/TaskStatus.tsx';
import { fill } from '../i18n/words.ts';
import type { Models } from '../models.ts';
import { refOf } from '../ticket-list/names.ts';
import { Button } from '../ui/Button.tsx';

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
      <Button
        label={isFound ? s.find : s.newTicket}
        onClick={() => view.go(isFound ? { name: 'find', next: view.current.peek().ref! } : { name: 'new' })}
      />
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
        {email_code && <Button label={s.sendCode} look="link" onClick={() => view.go({ name: 'find' })} />}
        <Button label={s.gotIt} look="link" onClick={() => dismissMoved(app)} />
      </span>
    </li>
  );
}

/**
 * Offers tickets that were opened under the customer's proven address elsewhere. SECURITY: before the customer claims
 * them, only their number is known here.
 */
function Claim({ app }: AppProps) {
  const { s, count, session, view } = app;
  const claimable = session.current.value?.claimable;
  if (!claimable) return null;
  const isInList = view.current.value.ref === undefined;
  const open = () => void claim(app);
  const what = <span class="ticket-subject">{count(s.claimable, claimable)}</span>;
  if (isInList)
    return (
      <li>
        <button type="button" class="ticket elsewhere" onClick={open}>
          {what}
          <span class="ticket-preview">{s.claimHint}</span>
          <span class="link">{s.claim}</span>
        </button>
      </li>
    );
  return (
    <section class="moved">
      <p>{count(s.claimable, claimable)}</p>
      <Button label={s.claim} onClick={open} />
      <p class="label">{s.claimHint}</p>
      <TaskStatus app={app} />
    </section>
  );
}

/** Asks whether tickets from before the sign-in are added to the account of the signed-in customer. */
export function Transfer({ app }: AppProps) {
  const { s, count, session, customer, view } = app;
  const transferable = customer.transferable.value;
  const known = session.current.value?.customer;
  if (!transferable || !known) return null;
  // SECURITY: the host page chooses who is signed in, so this takes a person's press, and shows the address.
  const answer = (isWanted: boolean) => (event: Event) => {
    if (event.isTrusted) void transfer(app, isWanted);
  };
  const isOnStart = view.current.value.ref === undefined;
  return (
    <section class="moved">
      <h2>{count(s.transferable, transferable)}</h2>
      <p>{fill(s.transferHint, { account: known.email })}</p>
      {/* The start has a primary button of its own. */}
      <Button label={s.transfer} look={isOnStart ? 'button quiet' : 'button'} onClick={answer(true)} />
      <Button label={s.no} look="button quiet" onClick={answer(false)} />
      {/* The start says it below. */}
      {!isOnStart && <TaskStatus app={app} />}
    </section>
  );
}

/*
 * What the customer can do with tickets and texts from before the sign-in, and with tickets that others opened under their
 * address.
 */

/** Takes over the tickets that others opened under the customer's proven address. A single one is shown at once. */
async function claim({ api, view, list, refresh, customer }: Models) {
  const before = new Set(list.peek().map(refOf));
  let isDone = false;
  await customer.task.run(api.claim, (taken) => {
    customer.takeSession(taken);
    isDone = true;
  });
  if (!isDone || !(await refresh()) || view.current.peek().name !== 'start') return;
  const [ticket, other] = list.peek().filter((each) => !before.has(refOf(each)));
  // The button that had the focus is gone.
  view.go(ticket && !other ? { name: 'thread', ref: refOf(ticket) } : { name: 'start' });
}

/** Adds the tickets from before the sign-in with the texts that were written to them, or declines them. */
export const transfer = ({ api, outbox, view, customer }: Models, isWanted: boolean) =>
  customer.task.run(
    () => api.transfer(isWanted),
    (taken) => {
      customer.takeSession(taken);
      if (isWanted) outbox.adopt(({ is_declined }) => !is_declined);
      else outbox.decline();
      // The button that had the focus is gone.
      view.go(isWanted ? view.current.peek() : { name: 'start' });
    },
  );

/** Ends the notice that tickets of this visitor were claimed. */
const dismissMoved = ({ api, session, view, customer }: Models) =>
  customer.task.run(api.dismissMoved, (told) => {
    session.put(told);
    view.go({ name: 'start' });
  });
