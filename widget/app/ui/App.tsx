import type { SentenceKey } from '../i18n/words.ts';
import { fill } from '../i18n/words.ts';
import { FindTickets } from './FindTickets.tsx';
import { Handoff } from './Handoff.tsx';
import { NewTicket } from './NewTicket.tsx';
import type { Shared, SharedProps } from './shared.ts';
import { Start } from './Start.tsx';
import { Thread } from './Thread.tsx';

/** The panel: what is not up to date, one view, and the region that speaks each agent's message once. */
export function App({ app }: SharedProps) {
  const { s, close, overlay } = app;
  const arrival = app.tickets.arrivedElsewhere.value;
  return (
    <div class={close ? 'panel' : 'panel page'}>
      {overlay.value ?? [<Notice key="notice" app={app} />, <Place key="place" app={app} />]}
      <output class="unseen">{arrival && fill(s.arrived, { subject: arrival.subject })}</output>
    </div>
  );
}

function Place({ app }: SharedProps) {
  const { view, home } = app;
  const place = view.current.value;
  if (place.name === 'thread') return <Thread key={place.ref} app={app} />;
  if (place.name === 'find') return <FindTickets app={app} />;
  if (place.name === 'handoff') return <Handoff app={app} />;
  // One element for both: a form that the customer is writing in must not be drawn anew.
  if (place.name === 'new' || (place.name === 'start' && home.value === 'form'))
    return <NewTicket key="form" app={app} />;
  return <Start app={app} />;
}

function Notice({ app }: SharedProps) {
  const { s, staleSince, briefTime } = app;
  const sentence = notice(app);
  const since = staleSince.value;
  const isDated = since !== null && sentence !== 'onlyHere';
  return (
    <output>
      {sentence && (
        <p class="notice">
          {s[sentence]}
          {isDated && ` ${fill(s.updated, { time: briefTime(since) })}`}
        </p>
      )}
    </output>
  );
}

function notice({ isOnline, live, isFresh, outbox, tickets, viewedId }: Shared): SentenceKey | null {
  if (outbox.isUnstored.value) return 'onlyHere';
  if (!isOnline.value) return 'offline';
  if (outbox.isOnlyHere.value) return 'onlyHere';
  if (live.isLate.value) return 'reconnecting';
  const isRead = tickets.thread(viewedId.value ?? '')?.read_at !== null;
  return isFresh.value && isRead ? null : 'stale';
}
