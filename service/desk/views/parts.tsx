/** @jsxImportSource hono/jsx */
import { agentName } from '../../agents/agents.ts';
import type { Priority, Status } from '../../tickets/model.ts';
import { sentences } from '../sentences/sentences.ts';
import { createTimes } from './time.ts';

const { marks } = sentences;
const { ago, fullTime } = createTimes(sentences.times);

export function StatusMark({ status, isMerged = false }: { status: Status; isMerged?: boolean }) {
  const name = isMerged ? 'merged' : status;
  return <span class={`status status-${name}`}>{marks.statuses[name]}</span>;
}

/** An agent by name; the address as a tooltip, since two agents may have one name. */
export function AgentName({ email, isYou }: { email: string; isYou: boolean }) {
  return <span title={email}>{isYou ? sentences.ticket.you : agentName(email)}</span>;
}

export function NeedsAnswerMark() {
  return <span class="fresh">{marks.needsAnswer}</span>;
}

/** High and urgent only: the others need no attention. */
export function PriorityMark({ priority }: { priority: Priority }) {
  if (priority !== 'high' && priority !== 'urgent') return null;
  return <span class={`priority priority-${priority}`}>{marks.priorities[priority]}</span>;
}

/** How long ago; the exact time as a tooltip. The script writes both in the reader's zone. */
export function Ago({ at, now }: { at: string; now: Date }) {
  return (
    <time datetime={at} title={fullTime(at)} data-shown="ago">
      {ago(at, now)}
    </time>
  );
}

/** Date and time, which the script writes in the reader's zone. */
export function FullTime({ at }: { at: string }) {
  return (
    <time datetime={at} data-shown="full">
      {fullTime(at)}
    </time>
  );
}

/** The text of an empty list. */
export function Empty({ title, hint }: { title: string; hint: string }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      <p>{hint}</p>
    </div>
  );
}

/** The sentence about a field that was refused; `id` is what the field's `aria-describedby` names. */
export function Fault({ id, text }: { id: string; text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p class="fault" id={id} role="alert">
      {text}
    </p>
  );
}

/** A secret that no other page shows. */
export function ShownOnce({ title, hint, secret }: { title: string; hint: string; secret: string }) {
  return (
    <section class="once" aria-label={title}>
      <h2>{title}</h2>
      <p>
        <code>{secret}</code>
      </p>
      <p>{hint}</p>
    </section>
  );
}
