/** @jsxImportSource hono/jsx */
import type { Agent } from '../../../agents/agents.ts';
import type { DeskMessage, DeskTicket } from '../../../tickets/handle-ticket.ts';
import { type NamedFile, readLine, splitFiles } from '../../../files/lines.ts';
import { splitFooter } from '../../../tickets/footer.ts';
import { sentences } from '../../sentences/sentences.ts';
import { Files } from './Files.tsx';
import { MessageText } from './MessageText.tsx';
import { initial } from '../Page.tsx';
import { FullTime } from '../parts.tsx';

const texts = sentences.ticket;

interface Entry {
  id: string;
  kind: 'customer' | 'agent' | 'note';
  author: string;
  body: string;
  files: NamedFile[];
  /** What the client says of the text, such as who mailed it. */
  facts: string[];
  created_at: string;
}

type Split = Pick<Entry, 'body' | 'files' | 'facts'>;

/** A customer's text without the client's lines, and the files that these name. */
function splitCustomers(body: string): Split {
  const { text, footer } = splitFooter(body);
  const details = footer?.details ?? [];
  const facts = details.filter((line) => readLine(line) === null);
  return { body: text, files: details.flatMap((line) => readLine(line) ?? []), facts };
}

function splitAgents(body: string): Split {
  const { text, files } = splitFiles(body);
  return { body: text, files, facts: [] };
}

interface Props {
  /** Origins whose pictures are shown in place. */
  shownFrom: readonly string[];
  ticket: DeskTicket;
  agent: Agent;
  /** Public messages after this one are marked as arrived. */
  seen: string | undefined;
}

/** The customer's text from the description and all messages including notes, oldest first. */
export function Conversation({ ticket, agent, seen, shownFrom }: Props) {
  const customer = ticket.customer.name ?? ticket.customer.email;
  const authorOf = (message: DeskMessage) => {
    if (message.author_type === 'customer') return customer;
    return message.agent_email === agent.email ? texts.you : (message.agent_email ?? texts.someAgent);
  };
  const entries: Entry[] = [
    {
      id: ticket.id,
      kind: 'customer',
      author: customer,
      ...splitCustomers(ticket.description),
      // They are beside the conversation, with all that is known of the ticket.
      facts: [],
      created_at: ticket.created_at,
    },
    ...ticket.messages.map((message) => ({
      id: message.id,
      kind: message.is_internal ? ('note' as const) : message.author_type,
      author: authorOf(message),
      ...(message.author_type === 'customer' ? splitCustomers(message.body) : splitAgents(message.body)),
      created_at: message.created_at,
    })),
  ];
  const publicIds = entries.filter(({ kind }) => kind !== 'note').map(({ id }) => id);
  const arrived = new Set(seen === undefined ? [] : publicIds.slice(publicIds.indexOf(seen) + 1));
  return (
    <section aria-label={texts.conversation}>
      {/* An answer is sent at once only if no public message is newer than this one. */}
      <input type="hidden" name="seen" value={publicIds.at(-1)} autocomplete="off" />
      <ol class="conversation">
        {entries.map((entry) => (
          <li
            class={`entry entry-${entry.kind}${arrived.has(entry.id) ? ' missed' : ''}`}
            id={`message-${entry.id}`}
          >
            <header>
              <span class="badge" aria-hidden="true">
                {initial(entry.author)}
              </span>
              <strong>{entry.author}</strong>
              {entry.kind === 'note' ? <span class="note-mark">{texts.internalNote}</span> : null}
              <FullTime at={entry.created_at} />
            </header>
            <div class="text" dir="auto">
              <MessageText text={entry.body} author={entry.kind === 'customer' ? 'customer' : 'agent'} />
            </div>
            <Files files={entry.files} shownFrom={shownFrom} />
            {entry.facts.map((fact) => (
              <p class="hint" dir="auto">
                {fact}
              </p>
            ))}
          </li>
        ))}
      </ol>
    </section>
  );
}
