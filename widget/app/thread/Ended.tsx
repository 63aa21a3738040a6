import type { EndedProps } from '../shared.ts';

/** In place of the field for a reply, where a conversation takes none: why, and the way to a new ticket. */
export function Ended({ app, reason }: EndedProps) {
  const { s, sending } = app;
  return (
    <section class="moved">
      <h2>{reason}</h2>
      <p>{s.movedHint}</p>
      <button type="button" class="button" onClick={sending.startOver}>
        {s.startOver}
      </button>
    </section>
  );
}
