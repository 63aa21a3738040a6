import { claim } from './offers.ts';
import { TaskStatus } from '../ui/TaskStatus.tsx';
import type { AppProps } from '../app.ts';

/**
 * Offers tickets that were opened under the customer's proven address elsewhere. SECURITY: before the customer claims
 * them, only their number is known here.
 */
export function Claim({ app }: AppProps) {
  const { s, count, session, view } = app;
  const claimable = session.current.value?.claimable;
  if (!claimable) return null;
  const isInList = view.current.value.ref === undefined;
  const open = () => void claim(app);
  const what = <span class="ticket-subject">{count(s.claimable, claimable)}</span>;
  if (isInList)
    return (
      <li>
        <button type="button" class="ticket elsewhere" onClick={open}>
          {what}
          <span class="ticket-preview">{s.claimHint}</span>
          <span class="link">{s.claim}</span>
        </button>
      </li>
    );
  return (
    <section class="moved">
      <p>{count(s.claimable, claimable)}</p>
      <button type="button" class="button" onClick={open}>
        {s.claim}
      </button>
      <p class="label">{s.claimHint}</p>
      <TaskStatus app={app} />
    </section>
  );
}
