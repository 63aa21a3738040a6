import type { Ticket, TicketSummary } from '../../../bff/contract/tickets.ts';
import type { ErrorCode } from '../../../bff/contract/errors.ts';
import { showConversation } from '../state/conversation.ts';
import type { Send, ShownMessage } from '../state/sends.ts';
import { groupMessages } from './group.ts';
import { MessageGroup } from './MessageGroup.tsx';
import type { SharedProps } from './shared.ts';
import { Steady } from './Steady.ts';

interface GroupsProps extends SharedProps {
  summary: TicketSummary;
  ticket: Ticket | undefined;
  sends: readonly Send[];
  /** Id of the message that reading goes on with. */
  firstNew: string | null;
  /** Milliseconds since the epoch. */
  now: number;
  hasCodes: boolean | undefined;
  problem: ErrorCode | null;
}

/** Of the customer's own the newest, which alone says that it was sent. */
export const findLastOwn = (messages: readonly ShownMessage[]) =>
  messages.findLast(({ author_type, hidden }) => author_type === 'customer' && !hidden);

/** Nobody answers any more; a service may have others of its own, which tell nothing. */
const endStatuses = new Set(['solved', 'closed']);

const hourMs = 3_600_000;

/** The messages in their groups. */
export class Groups extends Steady<GroupsProps> {
  override render({ summary, ticket, sends, firstNew, now, ...shared }: GroupsProps) {
    const messages = showConversation(summary, ticket, sends);
    const lastOwn = findLastOwn(messages);
    const newFrom = messages.findIndex(({ id }) => id === firstNew);
    const isAnswer = ({ author_type }: ShownMessage) => author_type === 'agent';
    const newCount = messages.slice(newFrom).filter(isAnswer).length;
    // What only this browser has is safest while the page is open.
    const canClosePage = sends.every(({ is_held }) => is_held);
    const endOfDay = new Date(now).setHours(23, 59, 59, 999);
    const items = groupMessages(messages, firstNew).map(({ isMark, ...group }) => (
      <MessageGroup
        key={group.messages[0]!.key ?? group.messages[0]!.id}
        {...group}
        {...shared}
        newCount={isMark ? newCount : 0}
        canClosePage={canClosePage}
        lastOwn={group.messages.includes(lastOwn!) && lastOwn}
        // Only the last hour is told by the minute: all else is drawn anew once a day.
        now={group.at && now - Date.parse(group.at) < hourMs ? now : endOfDay}
      />
    ));
    const isOver = summary.closed || ticket?.closed || endStatuses.has(summary.status);
    const isAwaited =
      lastOwn?.state === 'done' && !isOver && !ticket?.has_earlier && !messages.some(isAnswer);
    return (
      <div>
        {items}
        {isAwaited && <p class="hint">{shared.app.s.awaited}</p>}
      </div>
    );
  }
}
