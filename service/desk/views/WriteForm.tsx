/** @jsxImportSource hono/jsx */
import { randomUUID } from 'node:crypto';
import { Fault } from './parts.tsx';
import type { Refused } from './refused.ts';

const words = {
  answer: { label: 'Answer', hint: 'The customer reads this.', button: 'Send answer', rows: 6 },
  note: { label: 'Internal note', hint: 'Only agents read this.', button: 'Add note', rows: 3 },
} as const;

interface Props {
  kind: 'answer' | 'note';
  action: string;
  refused: Refused | undefined;
}

export function WriteForm({ kind, action, refused }: Props) {
  const { label, hint, button, rows } = words[kind];
  return (
    <form class={`card stack write write-${kind}`} method="post" action={action}>
      {/* The message's id: a form that is sent twice adds one message. */}
      <input type="hidden" name="id" value={randomUUID()} />
      <div class="labelled">
        <label htmlFor={kind}>{label}</label>
        <span class="hint" id={`${kind}-hint`}>
          {hint}
        </span>
      </div>
      <textarea
        id={kind}
        name="body"
        rows={rows}
        dir="auto"
        required
        autofocus={refused !== undefined}
        aria-describedby={refused ? `${kind}-hint ${kind}-fault` : `${kind}-hint`}
      >
        {refused?.text ?? ''}
      </textarea>
      <Fault id={`${kind}-fault`} text={refused?.fault} />
      <button class={kind === 'note' ? 'plain' : undefined} type="submit">
        {button}
      </button>
    </form>
  );
}
