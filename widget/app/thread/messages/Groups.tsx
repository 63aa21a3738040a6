import type { Ticket, TicketSummary } from '../../../../shared/contract/tickets.ts';
import type { ShownMessage } from '../../outbox/sends.ts';
import { groupMessages } from './group.ts';
import { MessageGroup } from './MessageGroup.tsx';
import type { AppProps } from '../../app.ts';
import { Icon } from '../../ui/Icon.tsx';

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
