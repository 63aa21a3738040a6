/** @jsxImportSource hono/jsx */
import { randomUUID } from 'node:crypto';
import type { Child } from 'hono/jsx';
import { sentences } from '../../sentences/sentences.ts';
import { Fault } from '../parts.tsx';
import type { Refused } from './refused.ts';

const texts = sentences.ticket;

const fields = {
  answer: { rows: 6, name: 'body', idName: 'id' },
  note: { rows: 3, name: 'note', idName: 'note_id' },
} as const;

interface Props {
  kind: 'answer' | 'note';
  /** The address of one of the ticket's forms. */
  action: (name: string) => string;
  draft: string;
  refused: Refused | undefined;
  /** What is above an answer, and beside its buttons. */
  above?: Child;
  beside?: Child;
}

/** One of the two texts of the ticket page's form, with the buttons that send it. */
export function WriteCard({ kind, action, draft, refused, above, beside }: Props) {
  const { rows, name, idName } = fields[kind];
  const { label, hint } = texts.write[kind];
  return (
    <div class={`card stack write write-${kind}`}>
      {/* The message's id: a form that is sent twice adds one message. */}
      <input type="hidden" name={idName} value={randomUUID()} />
      <div class="labelled">
        <label htmlFor={kind}>{label}</label>
        <span class="hint" id={`${kind}-hint`}>
          {hint}
        </span>
        {above}
      </div>
      <textarea
        id={kind}
        name={name}
        rows={rows}
        dir="auto"
        autofocus={refused !== undefined}
        aria-describedby={refused ? `${kind}-hint ${kind}-fault` : `${kind}-hint`}
        data-id={idName}
        data-send={`send-${kind}`}
      >
        {draft}
      </textarea>
      {kind === 'answer' ? <output class="hint" id="attach-state" /> : null}
      <Fault id={`${kind}-fault`} text={refused?.fault} />
      {kind === 'answer' ? (
        <p class="buttons">
          <button type="submit" id="send-answer" formAction={action('answers')}>
            {refused?.seen === undefined ? texts.sendAnswer : texts.sendAnyway}
          </button>
          <button type="submit" class="plain" formAction={action('answers')} name="new_status" value="solved">
            {texts.sendAndSolve}
          </button>
          {beside}
        </p>
      ) : (
        <button type="submit" class="plain" id="send-note" formAction={action('notes')}>
          {texts.addNote}
        </button>
      )}
    </div>
  );
}
