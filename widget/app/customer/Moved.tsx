import type { KnownProps } from '../shared.ts';

/** Says in the list that tickets open on another device, and how they open here too. It does not name the address. */
export function Moved({ app: { s, session, offers, view } }: KnownProps) {
  const { moved, email_code } = session.current.value ?? {};
  if (!moved) return null;
  return (
    <li class="ticket elsewhere">
      <span class="ticket-subject">{s.conversation}</span>
      <span class="ticket-preview">
        {s.moved} {email_code && s.movedBack}
      </span>
      <span class="ticket-line">
        {email_code && (
          <button type="button" class="link" onClick={() => view.go({ name: 'find' })}>
            {s.sendCode}
          </button>
        )}
        <button type="button" class="link" onClick={() => void offers.dismissMoved()}>
          {s.gotIt}
        </button>
      </span>
    </li>
  );
}
