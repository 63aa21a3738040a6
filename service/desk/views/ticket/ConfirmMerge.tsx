/** @jsxImportSource hono/jsx */
import type { Agent } from '../../../agents/agents.ts';
import type { DeskTicket } from '../../../tickets/handle-ticket.ts';
import { sentences } from '../../sentences/sentences.ts';
import { Confirm } from '../Confirm.tsx';
import { StatusMark } from '../parts.tsx';

const texts = sentences.merge;

export function ConfirmMerge(props: { agent: Agent; ticket: DeskTicket; target: DeskTicket }) {
  const { agent, ticket, target } = props;
  const path = `/desk/tickets/${ticket.id}`;
  return (
    <Confirm
      agent={agent}
      section="tickets"
      title={texts.title(ticket.ticket_number, target.ticket_number)}
      action={`${path}/merge/confirmed`}
      label={texts.submit(target.ticket_number)}
      back={path}
    >
      <input type="hidden" name="number" value={target.ticket_number} />
      <dl class="two">
        <dt>{texts.ticket}</dt>
        <Described ticket={ticket} />
        <dt>{texts.target}</dt>
        <Described ticket={target} />
      </dl>
      {target.customer_id === ticket.customer_id ? null : <p class="warning">{texts.otherCustomer}</p>}
      <p>{texts.effect(ticket.ticket_number)}</p>
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
