import { endings } from '../outbox/sends.ts';
import { Bar, brandOf, View } from '../ui/View.tsx';
import { Composer } from './Composer.tsx';
import { Conversation } from './Conversation.tsx';
import type { AppProps } from '../app.ts';
import { refOf } from '../ticket-list/names.ts';
import { Waiting } from '../ui/Waiting.tsx';
import { Elsewhere, Ended, ThreadMenu } from '../later-views.tsx';

/** One ticket: its messages, and a field for a reply. */
export function Thread({ app }: AppProps) {
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
  return (
    <View app={app} isThread>
      <Bar
        app={app}
        back={s.backToTickets}
        hasMark
        title={summary?.subject ?? s.conversation}
        actions={<ThreadMenu app={app} />}
      >
        <p class="from">{(!isEnded && app.site?.replyTime(app.now.value)?.text) || brandOf(app)}</p>
      </Bar>
      {summary && messages.length > 0 && (
        <Conversation key={refOf(summary)} app={app} messages={messages} summary={summary} ticket={ticket} />
      )}
      {!isBegun &&
        (app.isGone.value ? (
          <Elsewhere app={app} />
        ) : (
          <Waiting app={app} failure={failure} retry={app.refresh} />
        ))}
      {summary?.colleague ? (
        <p class="hint composer">{s.colleagueOnly}</p>
      ) : isEnded ? (
        <Ended app={app} reason={isRefused ? s.states.rejected : s.errors[ending ?? 'conversation_merged']} />
      ) : (
        summary &&
        !isRefused && (
          <>
            {summary.status === 'solved' && <p class="hint">{s.writeAgain}</p>}
            <Composer app={app} summary={summary} />
          </>
        )
      )}
    </View>
  );
}
