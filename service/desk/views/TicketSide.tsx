/** @jsxImportSource hono/jsx */
import type { DeskTicket } from '../../tickets/handle-ticket.ts';
import { maxLength, statuses } from '../../tickets/model.ts';
import { Fault } from './parts.tsx';
import { fullTime } from './time.ts';
import type { Refused } from './refused.ts';

interface Props {
  ticket: DeskTicket;
  path: string;
  refusedIn: (form: Refused['form']) => Refused | undefined;
}

/** Who wrote, and what can be done with the ticket. */
export function TicketSide({ ticket, path, refusedIn }: Props) {
  return (
    <aside class="about-ticket" aria-label="About this ticket">
      <section class="card stack">
        <h2>Customer</h2>
        <dl>
          <dt>Name</dt>
          <dd>{ticket.customer.name ?? <span class="none">not given</span>}</dd>
          <dt>Email</dt>
          <dd class="email">{ticket.customer.email}</dd>
        </dl>
        <form class="line" method="post" action={`${path}/company`}>
          <label htmlFor="company">Company</label>
          <input
            id="company"
            name="company"
            value={refusedIn('company')?.text ?? ticket.customer.company ?? ''}
            maxlength={maxLength.company}
          />
          <button class="plain" type="submit">
            Save
          </button>
        </form>
        <Fault id="company-fault" text={refusedIn('company')?.fault} />
      </section>
      <section class="card stack">
        <h2>Ticket</h2>
        <dl>
          <dt>Priority</dt>
          <dd>{ticket.priority}</dd>
          <dt>Created</dt>
          <dd>{fullTime(ticket.created_at)}</dd>
          <dt>Source</dt>
          <dd>{ticket.source}</dd>
        </dl>
        {ticket.merged_into === null ? <Actions ticket={ticket} path={path} refusedIn={refusedIn} /> : null}
      </section>
    </aside>
  );
}

function Actions({ ticket, path, refusedIn }: Props) {
  const merge = refusedIn('merge');
  return (
    <>
      <form class="line" method="post" action={`${path}/status`}>
        <label htmlFor="status">Status</label>
        <select id="status" name="status">
          {statuses.map((status) => (
            <option value={status} selected={status === ticket.status}>
              {status}
            </option>
          ))}
        </select>
        <button class="plain" type="submit">
          Set status
        </button>
      </form>
      <form class="line" method="post" action={`${path}/merge`}>
        <label htmlFor="merge">Merge into ticket number</label>
        <input
          id="merge"
          name="number"
          inputmode="numeric"
          pattern="#?[0-9]+"
          required
          autofocus={merge !== undefined}
          value={merge?.text ?? ''}
          aria-describedby={merge ? 'merge-hint merge-fault' : 'merge-hint'}
        />
        <button class="plain" type="submit">
          Merge
        </button>
      </form>
      <Fault id="merge-fault" text={merge?.fault} />
      <p class="hint" id="merge-hint">
        Merging closes this ticket for good. Its conversation stays here.
      </p>
    </>
  );
}
