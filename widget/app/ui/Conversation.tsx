import type { ShownMessage } from '../state/sends.ts';
import { Groups } from './Groups.tsx';
import type { SharedProps } from './shared.ts';

const nearEndPx = 60;

/**
 * The messages of a ticket. The log runs in reverse for CSS, so the browser itself keeps the newest in sight when a
 * message comes or a keyboard opens, unless the customer has scrolled up to read.
 */
export function Conversation({ app, messages }: SharedProps & { messages: readonly ShownMessage[] }) {
  const { s, count, isAtEnd, viewed, firstNew, now, session, sending } = app;
  const lastOwn = messages.findLast(({ author_type, hidden }) => author_type === 'customer' && !hidden);
  const summary = viewed.value;
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
          messages={messages}
          lastOwn={lastOwn}
          firstNew={firstNew.value}
          now={now.value}
          session={session.current.value}
          problem={sending.problem.value}
          summary={summary}
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
          {summary?.unread ? count(s.unread, summary.unread) : s.newest}
        </button>
      )}
    </div>
  );
}
