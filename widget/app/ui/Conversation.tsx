import type { Ticket, TicketSummary } from '../../../bff/contract/tickets.ts';
import type { ShownMessage } from '../state/sends.ts';
import { findLastOwn, Groups } from './Groups.tsx';
import type { SharedProps } from './shared.ts';

const nearEndPx = 60;

interface ConversationProps extends SharedProps {
  messages: readonly ShownMessage[];
  summary: TicketSummary;
  ticket: Ticket | undefined;
}

/**
 * The messages of a ticket. The log runs in reverse for CSS, so the browser itself keeps the newest in sight when a
 * message comes or a keyboard opens, unless the customer has scrolled up to read.
 */
export function Conversation({ app, messages, summary, ticket }: ConversationProps) {
  const { s, count, isAtEnd, firstNew, now, session, sending, outbox } = app;
  const lastOwn = findLastOwn(messages);
  return (
    <div class="log-place">
      <div
        class="log"
        role="log"
        // As a live region it would say too much, and times again each minute: regions outside it say what is new.
        aria-live="off"
        aria-label={s.conversation}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolling by keyboard needs it in Safari
        tabIndex={0}
        onScroll={({ currentTarget }) => {
          isAtEnd.value = -currentTarget.scrollTop < nearEndPx;
        }}
      >
        <Groups
          app={app}
          summary={summary}
          ticket={ticket}
          sends={outbox.sends.value}
          firstNew={firstNew.value}
          now={now.value}
          hasCodes={session.current.value?.email_code}
          problem={sending.problem.value}
        />
      </div>
      <output class="unseen">{lastOwn && s.states[lastOwn.state]}</output>
      {!isAtEnd.value && (
        <button
          type="button"
          class="button quiet newest"
          onClick={({ currentTarget }) => {
            const log = currentTarget.parentElement!.firstElementChild as HTMLElement;
            log.focus();
            log.scrollTo(0, 0);
          }}
        >
          {summary.unread ? count(s.unread, summary.unread) : s.newest}
        </button>
      )}
    </div>
  );
}
