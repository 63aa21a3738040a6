/** @jsxImportSource hono/jsx */
import type { Agent } from '../../agents/agents.ts';
import type { DeskTicket } from '../../tickets/handle-ticket.ts';
import { Conversation } from './Conversation.tsx';
import type { NoticeName } from './notices.ts';
import { Page } from './Page.tsx';
import { PriorityMark, StatusMark } from './parts.tsx';
import type { Refused } from './refused.ts';
import { TicketSide } from './TicketSide.tsx';
import { WriteForm } from './WriteForm.tsx';

interface Props {
  agent: Agent;
  now: Date;
  ticket: DeskTicket;
  notice?: NoticeName | undefined;
  refused?: Refused | undefined;
}

export function TicketPage({ agent, now, ticket, notice, refused }: Props) {
  const title = ticket.subject.trim() || '(no subject)';
  const path = `/desk/tickets/${ticket.id}`;
  const refusedIn = (form: Refused['form']) => (refused?.form === form ? refused : undefined);
  return (
    <Page title={`#${ticket.ticket_number} ${title}`} section="Tickets" agent={agent} notice={notice}>
      <div class="ticket-head">
        <p>
          <a class="back" href="/desk">
            Tickets
          </a>{' '}
          <span class="number">#{ticket.ticket_number}</span>{' '}
          <StatusMark status={ticket.status} isMerged={ticket.merged_into !== null} />{' '}
          <PriorityMark priority={ticket.priority} />
        </p>
        <h1>{title}</h1>
      </div>
      <div class="ticket">
        <div class="talk">
          <Merges ticket={ticket} />
          <Conversation ticket={ticket} agent={agent} now={now} />
          {ticket.merged_into === null ? (
            <WriteForm kind="answer" action={`${path}/answers`} refused={refusedIn('answer')} />
          ) : null}
          <WriteForm kind="note" action={`${path}/notes`} refused={refusedIn('note')} />
        </div>
        <TicketSide ticket={ticket} path={path} refusedIn={refusedIn} />
      </div>
    </Page>
  );
}

function Merges({ ticket }: { ticket: DeskTicket }) {
  const { merged_into: target, merged_from: sources } = ticket;
  if (!target && sources.length === 0) return null;
  return (
    <ul class="merges">
      {target ? (
        <li>
          Merged into{' '}
          <a href={`/desk/tickets/${target.id}`}>{`#${target.ticket_number} ${target.subject}`}</a>. The
          customer can no longer reply here.
        </li>
      ) : null}
      {sources.map((source) => (
        <li>
          Merged from{' '}
          <a href={`/desk/tickets/${source.id}`}>{`#${source.ticket_number} ${source.subject}`}</a>
        </li>
      ))}
    </ul>
  );
}
