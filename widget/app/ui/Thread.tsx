import { showConversation } from '../state/conversation.ts';
import { endings } from '../state/sends.ts';
import { Bar } from './Bar.tsx';
import { Composer } from './Composer.tsx';
import { Conversation } from './Conversation.tsx';
import type { SharedProps } from './shared.ts';
import { TicketStatus } from './TicketList.tsx';
import { Waiting } from './Waiting.tsx';

/** One ticket: what was said, and a place to answer. */
export function Thread({ app }: SharedProps) {
  const { s, tickets, outbox, sending, viewed, viewedId } = app;
  const id = viewedId.value;
  const summary = viewed.value;
  const ticket = tickets.thread(id);
  const failure = tickets.threadFailure.value;
  const messages = summary ? showConversation(summary, ticket, outbox.sends.value) : [];
  const ending = messages.find(({ error }) => error && endings.has(error))?.error;
  return (
    <main class="view thread">
      <Bar app={app} back={s.backToTickets} title={summary?.subject ?? s.conversation}>
        {summary?.id && <TicketStatus app={app} ticket={summary} />}
      </Bar>
      {messages.length > 0 ? (
        <Conversation app={app} messages={messages} />
      ) : (
        <Waiting
          app={app}
          failed={failure && (failure.retryable ? s.loadFailed : s.errors.not_found)}
          onRetry={failure?.retryable ? () => void app.refresh() : null}
        />
      )}
      {ticket?.closed || ending ? (
        <section class="moved">
          <h2>{s.errors[ending ?? 'conversation_merged']}</h2>
          <p>{s.movedHint}</p>
          <button type="button" class="button" onClick={() => sending.startOver()}>
            {s.startOver}
          </button>
        </section>
      ) : (
        summary && <Composer app={app} summary={summary} />
      )}
    </main>
  );
}
