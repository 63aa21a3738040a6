/** @jsxImportSource hono/jsx */
import type { Agent } from '../../agents/agents.ts';
import type { DeskMessage, DeskTicket } from '../../tickets/handle-ticket.ts';
import { initial } from './Page.tsx';
import { Ago } from './parts.tsx';

interface Entry {
  kind: 'customer' | 'agent' | 'note';
  author: string;
  body: string;
  created_at: string;
}

/** The description and all messages, oldest first, notes among them. */
export function Conversation({ ticket, agent, now }: { ticket: DeskTicket; agent: Agent; now: Date }) {
  const customer = ticket.customer.name ?? ticket.customer.email;
  const authorOf = (message: DeskMessage) => {
    if (message.author_type === 'customer') return customer;
    return message.agent_email === agent.email ? 'You' : (message.agent_email ?? 'An agent');
  };
  const entries: Entry[] = [
    { kind: 'customer', author: customer, body: ticket.description, created_at: ticket.created_at },
    ...ticket.messages.map((message) => ({
      kind: message.is_internal ? ('note' as const) : message.author_type,
      author: authorOf(message),
      body: message.body,
      created_at: message.created_at,
    })),
  ];
  return (
    <section aria-label="Conversation">
      <ol class="conversation">
        {entries.map((entry, index) => (
          <li class={`entry entry-${entry.kind}`} id={index === entries.length - 1 ? 'latest' : undefined}>
            <header>
              <span class="badge" aria-hidden="true">
                {initial(entry.author)}
              </span>
              <strong>{entry.author}</strong>
              {entry.kind === 'note' ? <span class="note-mark">Internal note</span> : null}
              <Ago at={entry.created_at} now={now} />
            </header>
            <p class="text" dir="auto">
              {entry.body}
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}
