import { showConversation } from '../state/conversation.ts';
import { endings } from '../state/sends.ts';
import { Bar } from './Bar.tsx';
import { Composer } from './Composer.tsx';
import { Conversation } from './Conversation.tsx';
import { Moved } from './Moved.tsx';
import type { SharedProps } from './shared.ts';
import { Transfer } from './Transfer.tsx';
import { TicketStatus } from './TicketList.tsx';
import { refOf } from '../state/tickets.ts';
import { Waiting } from './Waiting.tsx';
import { View } from './View.tsx';

/** One ticket: what was said, and a place to answer. */
export function Thread({ app }: SharedProps) {
  const { s, session, customer, tickets, outbox, sending, viewed } = app;
  const summary = viewed.value;
  const ticket = summary ? tickets.thread(refOf(summary)) : undefined;
  const messages = summary ? showConversation(summary, ticket, outbox.sends.value) : [];
  // Without a read there may be nothing at all.
  const isBegun = ticket ? ticket.messages.length > 0 || ticket.read_at : outbox.find(summary?.key ?? '');
  const isRefused = summary?.state === 'rejected' && !summary.can_retry;
  const ending = messages.find(({ error }) => error && endings.has(error))?.error;
  const isEnded = isRefused ? isBegun : summary?.closed || ticket?.closed || ending;
  const failure = ticket ? { code: null } : tickets.threadFailure.value;
  const isGone = failure?.code === 'not_found';
  // It may be one from before the sign-in, or one that its owner has claimed.
  const isOnOffer = isGone && customer.transferable.value > 0;
  const isMoved = isGone && session.current.value?.moved;
  return (
    <View app={app} isThread>
      <Bar app={app} back={s.backToTickets} title={summary?.subject ?? s.conversation}>
        {summary?.id && <TicketStatus app={app} ticket={summary} />}
      </Bar>
      {summary && messages.length > 0 && (
        <Conversation key={refOf(summary)} app={app} messages={messages} summary={summary} ticket={ticket} />
      )}
      {!isBegun && isOnOffer && <Transfer app={app} />}
      {!isBegun && isMoved && <Moved app={app} />}
      {!isBegun && !isOnOffer && !isMoved && <Waiting app={app} failure={failure} />}
      {isEnded ? (
        <section class="moved">
          <h2>{isRefused ? s.states.rejected : s.errors[ending ?? 'conversation_merged']}</h2>
          <p>{s.movedHint}</p>
          <button type="button" class="button" onClick={sending.startOver}>
            {s.startOver}
          </button>
        </section>
      ) : (
        summary && !isRefused && <Composer app={app} summary={summary} />
      )}
    </View>
  );
}
