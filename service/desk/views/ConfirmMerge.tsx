/** @jsxImportSource hono/jsx */
import type { Agent } from '../../agents/agents.ts';
import type { DeskTicket } from '../../tickets/handle-ticket.ts';
import { Confirm } from './Confirm.tsx';
import { StatusMark } from './parts.tsx';

export function ConfirmMerge(props: { agent: Agent; ticket: DeskTicket; target: DeskTicket }) {
  const { agent, ticket, target } = props;
  const path = `/desk/tickets/${ticket.id}`;
  return (
    <Confirm
      agent={agent}
      section="Tickets"
      title={`Merge #${ticket.ticket_number} into #${target.ticket_number}?`}
      action={`${path}/merge/confirmed`}
      label={`Merge into #${target.ticket_number}`}
      back={path}
    >
      <input type="hidden" name="number" value={target.ticket_number} />
      <dl class="two">
        <dt>This ticket</dt>
        <Described ticket={ticket} />
        <dt>Will be merged into</dt>
        <Described ticket={target} />
      </dl>
      {target.customer_id === ticket.customer_id ? null : (
        <p class="warning">These tickets are from different customers.</p>
      )}
      <p>
        This closes #{ticket.ticket_number} permanently. Its customer can’t reply to it anymore. Its
        conversation stays there.
      </p>
    </Confirm>
  );
}

function Described({ ticket }: { ticket: DeskTicket }) {
  return (
    <dd>
      <strong>
        #{ticket.ticket_number} {ticket.subject}
      </strong>{' '}
      <StatusMark status={ticket.status} />
      <br />
      <span class="facts">{ticket.customer.name ?? ticket.customer.email}</span>
    </dd>
  );
}
