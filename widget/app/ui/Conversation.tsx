import type { ShownMessage } from '../state/sends.ts';
import { groupMessages } from './group.ts';
import { Message } from './Message.tsx';
import type { SharedProps } from './shared.ts';

const nearEndPx = 60;

/**
 * The messages of a ticket. The log runs in reverse for CSS, so the browser itself keeps the newest in sight when a
 * message comes or a keyboard opens, unless the customer has scrolled up to read.
 */
export function Conversation({ app, messages }: SharedProps & { messages: ShownMessage[] }) {
  const { s, isAtEnd, dayText, clockTime, fullTime } = app;
  const lastOwn = messages.findLast(({ author_type, hidden }) => author_type === 'customer' && !hidden);
  return (
    <div class="log-place">
      <div
        class="log"
        role="log"
        aria-label={s.conversation}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolling by keyboard needs it in Safari
        tabIndex={0}
        onScroll={({ currentTarget }) => {
          isAtEnd.value = -currentTarget.scrollTop < nearEndPx;
        }}
      >
        <div>
          {groupMessages(messages).map(({ author, at, isNewDay, messages: group }) => (
            <div key={group[0]!.key ?? group[0]!.id} class={`group ${author}`}>
              {isNewDay && at && <p class="day">{dayText(at)}</p>}
              <p class="author">
                {author === 'agent' ? s.support : <span class="unseen">{s.you}</span>}
                {at && (
                  <time dateTime={at} title={fullTime(at)}>
                    {clockTime(at)}
                  </time>
                )}
              </p>
              {group.map((message) => (
                <Message
                  key={message.key ?? message.id}
                  app={app}
                  message={message}
                  isLastOwn={message === lastOwn}
                />
              ))}
            </div>
          ))}
        </div>
      </div>
      {!isAtEnd.value && (
        <button
          type="button"
          class="button quiet newest"
          onClick={({ currentTarget }) => {
            const log = currentTarget.previousElementSibling as HTMLElement;
            log.focus();
            log.scrollTo(0, 0);
          }}
        >
          {s.newest}
        </button>
      )}
    </div>
  );
}
