import { Component } from 'preact';
import type { Ticket, TicketSummary } from '../../../bff/contract/tickets.ts';
import type { ErrorCode } from '../../../bff/contract/errors.ts';
import type { Session } from '../../../bff/contract/session.ts';
import { showConversation } from '../state/conversation.ts';
import type { Send, ShownMessage } from '../state/sends.ts';
import { groupMessages } from './group.ts';
import { Message } from './Message.tsx';
import type { SharedProps } from './shared.ts';

interface GroupsProps extends SharedProps {
  summary: TicketSummary;
  ticket: Ticket | undefined;
  sends: readonly Send[];
  /** Id of the message that reading goes on with. */
  firstNew: string | null;
  /** Milliseconds since the epoch. */
  now: number;
  /** What the messages read besides; here so that they are drawn anew with it. */
  session: Session | null;
  problem: ErrorCode | null;
}

/** Of the customer's own the newest, which alone says that it was sent. */
export const findLastOwn = (messages: readonly ShownMessage[]) =>
  messages.findLast(({ author_type, hidden }) => author_type === 'customer' && !hidden);

/** Days, authors, times and messages; drawn anew only with one of its props, since there can be thousands. */
export class Groups extends Component<GroupsProps> {
  override shouldComponentUpdate(next: GroupsProps) {
    return Object.entries(next).some(([name, value]) => value !== this.props[name as keyof GroupsProps]);
  }

  override render({ app, summary, ticket, sends, firstNew, now }: GroupsProps) {
    const messages = showConversation(summary, ticket, sends);
    const lastOwn = findLastOwn(messages);
    const { s, count, dayText, clockText, fullTime } = app;
    const newFrom = messages.findIndex(({ id }) => id === firstNew);
    const isAnswer = ({ author_type }: ShownMessage) => author_type === 'agent';
    return (
      <div>
        {groupMessages(messages, firstNew).map(({ author, at, isNewDay, isMark, messages: group }) => (
          <div key={group[0]!.key ?? group[0]!.id} class={`group ${author}`}>
            {isNewDay && at && (
              <p class="day">
                <span>{dayText(at, now)}</span>
              </p>
            )}
            {isMark && (
              <p class="day new">
                <span>{count(s.unread, messages.slice(newFrom).filter(isAnswer).length)}</span>
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
    );
  }
}
