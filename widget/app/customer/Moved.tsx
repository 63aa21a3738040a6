import { TaskStatus } from '../ui/TaskStatus.tsx';
import type { KnownProps } from '../shared.ts';

/** Says why tickets are gone, and how the owner of their address gets them back. It does not name the address. */
export function Moved({ app }: KnownProps) {
  const { s, session, offers, view } = app;
  const { moved, email_code } = session.current.value ?? {};
  if (!moved) return null;
  return (
    <section class="moved">
      <p>
        {s.moved} {email_code && s.movedBack}
      </p>
      {email_code && (
        <button type="button" class="button" onClick={() => view.go({ name: 'find' })}>
          {s.find}
        </button>
      )}
      <button type="button" class="button quiet" onClick={() => void offers.dismissMoved()}>
        {s.gotIt}
      </button>
      {/* The start says it at its end. */}
      {view.current.value.ref !== undefined && <TaskStatus app={app} />}
    </section>
  );
}
