import type { AppProps } from '../app.ts';

/** The button to the form. It shows the beginning of the message that waits there. */
export function NewTicketButton({ app: { s, view, newTicket } }: AppProps) {
  const draft = newTicket.draft.value.slice(0, 100);
  return (
    <button type="button" class="button" onClick={() => view.go({ name: 'new' })}>
      {draft ? s.continueDraft : s.newTicket}
      {draft && (
        <span class="draft" dir="auto">
          {draft}
        </span>
      )}
    </button>
  );
}
