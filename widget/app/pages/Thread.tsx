import { endings } from '../outbox/sends.ts';
import { Bar } from '../ui/Bar.tsx';
import { Composer } from '../thread/Composer.tsx';
import { Conversation } from '../thread/Conversation.tsx';
import type { FullProps } from '../shared.ts';
import { TicketStatus } from '../ticket-list/TicketStatus.tsx';
import { refOf } from '../ticket-list/names.ts';
import { Waiting } from '../ui/Waiting.tsx';
import { View } from '../ui/View.tsx';

/** One ticket: its messages, and a field for a reply. */
export function Thread({ app }: FullProps) {
  const { s, tickets, outbox, viewed } = app;
  const summary = viewed.value;
  const ticket = summary ? tickets.thread(refOf(summary)) : undefined;
  const messages = app.messages.value;
  // Until a read has succeeded there may be nothing to show.
  const isBegun = ticket
    ? ticket.messages.length > 0 || ticket.read_at
    : outbox.sends.value.some(({ key }) => key === summary?.key);
  const isRefused = summary?.state === 'rejected' && !summary.can_retry;
  const ending = messages.find(({ error }) => error && endings.has(error))?.error;
  const isEnded = isRefused ? isBegun : summary?.closed || ticket?.closed || ending;
  const failure = ticket ? { code: null } : tickets.threadFailure.value;
  const known = app.known.loaded.value;
  return (
    <View app={app} isThread>
      <Bar
        app={app}
        back={s.backToTickets}
        title={summary?.subject ?? s.conversation}
        actions={known && <known.ThreadMenu app={known.app} />}
      >
        {summary?.id && <TicketStatus app={app} ticket={summary} />}
      </Bar>
      {summary && messages.length > 0 && (
        <Conversation key={refOf(summary)} app={app} messages={messages} summary={summary} ticket={ticket} />
      )}
      {!isBegun &&
        (known && app.isGone.value ? (
          <known.Elsewhere app={known.app} />
        ) : (
          <Waiting app={app} failure={app.isGone.value ? null : failure} retry={app.refresh} />
        ))}
      {isEnded
        ? known && (
            <known.Ended
              app={known.app}
              reason={isRefused ? s.states.rejected : s.errors[ending ?? 'conversation_merged']}
            />
          )
        : summary &&
          !isRefused && (
            <>
              {known && summary.status === 'solved' && <p class="hint">{known.app.s.writeAgain}</p>}
              <Composer app={app} summary={summary} />
            </>
          )}
    </View>
  );
}
