import type { Ticket, TicketSummary } from '../../../../shared/contract/tickets.ts';
import type { ShownMessage } from '../../outbox/sends.ts';
import type { AppProps } from '../../app.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Component } from 'preact';
import { brandOf } from '../../ui/View.tsx';
import { Message } from './Message.tsx';

interface GroupsProps extends AppProps {
  messages: readonly ShownMessage[];
  summary: TicketSummary;
  ticket: Ticket | undefined;
  /** Id of the first new message. */
  firstNew: string | null;
}

export const isAnswer = ({ author_type }: ShownMessage) => author_type === 'agent';

/** The customer's newest message: only this one shows that it was sent. */
export const findLastOwn = (messages: readonly ShownMessage[], { colleague }: TicketSummary) =>
  colleague
    ? undefined
    : messages.findLast(({ author_type, hidden }) => author_type === 'customer' && !hidden);

/** Statuses after which no answer is expected. A service may have others, whose meaning is unknown. */
const endStatuses = new Set(['solved', 'closed']);

const hourMs = 3_600_000;

/** The messages in their groups. */
export function Groups({ app, messages, summary, ticket, firstNew }: GroupsProps) {
  const now = app.now.value;
  const lastOwn = findLastOwn(messages, summary);
  const newFrom = messages.findIndex(({ id }) => id === firstNew);
  const newCount = messages.slice(newFrom).filter(isAnswer).length;
  const endOfDay = new Date(now).setHours(23, 59, 59, 999);
  const items = groupMessages(messages, firstNew).map((group) => (
    <MessageGroup
      key={group.messages[0]!.key ?? group.messages[0]!.id}
      app={app}
      group={group}
      newCount={group.isMark ? newCount : 0}
      lastOwn={group.messages.find((message) => message === lastOwn)}
      // Only times of the last hour change by the minute: other groups are rendered again once a day.
      now={group.at && now - Date.parse(group.at) < hourMs ? now : endOfDay}
    />
  ));
  const isOver = summary.closed || ticket?.closed || endStatuses.has(summary.status);
  const isAwaited = lastOwn?.state === 'done' && !isOver && !ticket?.has_earlier && !messages.some(isAnswer);
  return (
    <div>
      {items}
      {isAwaited && (
        <div class="hint awaited">
          <Icon name="done" />
          <p>{app.s.awaited}</p>
          {app.site && <app.site.Awaited app={app} />}
        </div>
      )}
    </div>
  );
}

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
    const isJustSent = author === 'customer' && !isColleagues && Math.abs(now - Date.parse(at!)) < minuteMs;
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

/** Messages further apart than this are in different groups. */
const togetherMs = 5 * 60_000;

interface Group {
  author: ShownMessage['author_type'];
  /** ISO 8601 of the first message; null when the service gave none. */
  at: string | null;
  isNewDay: boolean;
  /** Begins with the message `markId`. */
  isMark: boolean;
  messages: ShownMessage[];
}

/** Groups messages of one author within minutes of each other, oldest first. The message `markId` begins a new group. */
export function groupMessages(messages: readonly ShownMessage[], markId: string | null = null): Group[] {
  const groups: Group[] = [];
  let at: string | null = null;
  let lastMs = NaN;
  let lastDay = NaN;
  for (const message of messages) {
    // A message without a time has that of the one before.
    at = message.created_at ?? at;
    const ms: number = at === null ? NaN : Date.parse(at);
    const day = new Date(ms).setHours(0, 0, 0, 0);
    const isNewDay = day !== lastDay && at !== null;
    const isMark = message.id !== null && message.id === markId;
    const group = groups.at(-1);
    if (group?.author === message.author_type && !isNewDay && !(ms - lastMs > togetherMs) && !isMark)
      group.messages.push(message);
    else groups.push({ author: message.author_type, at, isNewDay, isMark, messages: [message] });
    lastMs = ms;
    lastDay = day;
  }
  return groups;
}

const isSameGroup = (a: Group, b: Group): boolean =>
  a.author === b.author &&
  a.at === b.at &&
  a.isNewDay === b.isNewDay &&
  a.messages.length === b.messages.length &&
  a.messages.every((message, place) => message === b.messages[place]);
