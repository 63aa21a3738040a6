import type { KnownProps } from '../shared.ts';
import { refOf } from '../ticket-list/names.ts';

/** Asks whether a solved ticket's problem is solved. "No" goes on writing: a reply opens the ticket again. */
export function Solved({ app }: KnownProps) {
  const { s, viewed, solved } = app;
  const ticket = viewed.value;
  if (!ticket || ticket.status !== 'solved' || ticket.closed) return null;
  const ref = refOf(ticket);
  const given = solved.value.get(ref);
  const answer = (value: 'yes' | 'no') => {
    solved.value = new Map([...solved.peek(), [ref, value]]);
    if (value === 'no') document.querySelector<HTMLElement>('.composer textarea')?.focus();
  };
  if (given === 'no') return null;
  return (
    <section class="solved">
      <output>{given ? s.solved.thanks : s.solved.ask}</output>
      {!given && (
        <p>
          <button type="button" class="button quiet" onClick={() => answer('yes')}>
            {s.solved.yes}
          </button>
          <button type="button" class="button quiet" onClick={() => answer('no')}>
            {s.solved.no}
          </button>
        </p>
      )}
    </section>
  );
}
