import type { ErrorCode } from '../../../bff/contract/errors.ts';
import type { ShownMessage } from '../state/sends.ts';
import type { Group } from './group.ts';
import { Message } from './Message.tsx';
import type { SharedProps } from './shared.ts';
import { Steady } from './Steady.ts';
import { clockText, dayText, fullTime } from './times.ts';

interface MessageGroupProps extends SharedProps, Omit<Group, 'isMark'> {
  /** How many answers are new from here on, where reading had stopped here. */
  newCount: number;
  /** The customer's newest message, if it stands here. */
  lastOwn: ShownMessage | false | undefined;
  /** Whether the BFF holds all that the customer has sent. */
  canClosePage: boolean;
  /** Milliseconds since the epoch. */
  now: number;
  /** What the messages read besides; here so that they are drawn anew with it. */
  hasCodes: boolean | undefined;
  problem: ErrorCode | null;
}

/** What one author says within minutes, under its day and time. */
export class MessageGroup extends Steady<MessageGroupProps> {
  override render({
    app,
    author,
    at,
    isNewDay,
    newCount,
    messages,
    lastOwn,
    canClosePage,
    now,
  }: MessageGroupProps) {
    const { s, count } = app;
    return (
      <div class={`group ${author}`}>
        {isNewDay && at && (
          <p class="day">
            <span>{dayText(at, now)}</span>
          </p>
        )}
        {newCount > 0 && (
          <p class="day new">
            <span>{count(s.unread, newCount)}</span>
          </p>
        )}
        <p class="author">
          {author === 'agent' ? <b>{s.support}</b> : <b class="unseen">{s.you}</b>}
          {at && (
            <time dateTime={at} title={fullTime(at)}>
              {clockText(at, now)}
            </time>
          )}
        </p>
        {messages.map((message) => (
          <Message
            key={message.key ?? message.id}
            app={app}
            message={message}
            isLastOwn={message === lastOwn}
            canClosePage={canClosePage}
          />
        ))}
      </div>
    );
  }
}
