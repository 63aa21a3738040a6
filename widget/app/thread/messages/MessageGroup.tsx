import { Component } from 'preact';
import type { ShownMessage } from '../../outbox/sends.ts';
import type { Group } from './group.ts';
import { isSameGroup } from './group.ts';
import { brandOf } from '../../ui/View.tsx';
import { Message } from './Message.tsx';
import type { AppProps } from '../../app.ts';

const minuteMs = 60_000;

interface MessageGroupProps extends AppProps {
  group: Group;
  /** The number of new answers, if the first of them begins this group; else 0. */
  newCount: number;
  /** The customer's newest message, if it is in this group. */
  lastOwn: ShownMessage | undefined;
  /** Milliseconds since the epoch. */
  now: number;
}

/** Messages of one author within minutes of each other, with their day and time. */
export class MessageGroup extends Component<MessageGroupProps> {
  /** There may be thousands of groups. `render` must not read signals: this would block their updates. */
  override shouldComponentUpdate(next: MessageGroupProps) {
    const { group, newCount, lastOwn, now } = this.props;
    return (
      next.newCount !== newCount ||
      next.lastOwn !== lastOwn ||
      next.now !== now ||
      !isSameGroup(next.group, group)
    );
  }

  override render({ app, group, newCount, lastOwn, now }: MessageGroupProps) {
    const { s, viewed, count, clockText, dayText, fullTime } = app;
    const { author, at, isNewDay, messages } = group;
    const isColleagues = viewed.peek()?.colleague;
    // What its state says, too. The time keeps its room, so that nothing moves a minute later.
    const isJustSent = author === 'customer' && !isColleagues && now - Date.parse(at!) < minuteMs;
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
          {author === 'agent' ? (
            <b>{brandOf(app)}</b>
          ) : (
            <b class={isColleagues ? '' : 'unseen'}>{isColleagues ? s.colleague : s.you}</b>
          )}
          {at && (
            <time style={isJustSent ? 'visibility:hidden' : undefined} dateTime={at} title={fullTime(at)}>
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
          />
        ))}
      </div>
    );
  }
}
