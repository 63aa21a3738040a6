import type { FunctionComponent } from 'preact';
import type { SentenceKey } from '../i18n/words.ts';
import { fill } from '../i18n/words.ts';
import { Later } from './Later.tsx';
import { NewTicket } from './NewTicket.tsx';
import type { Shared, SharedProps } from './shared.ts';

/** The panel: what is not up to date, one view, and what only screen readers hear. */
export function App({ app }: SharedProps) {
  const { close, overlay, later } = app;
  const Spoken = later.loaded.value?.Spoken;
  return (
    <div class={close ? 'panel' : 'panel page'}>
      {overlay.value ?? [<Notice key="notice" app={app} />, <Place key="place" app={app} />]}
      {Spoken && <Spoken app={app} />}
    </div>
  );
}

function Place({ app }: SharedProps) {
  const { s, view, home, later, customer } = app;
  const place = view.current.value;
  const { name, ref } = place;
  if (name === 'find' || name === 'handoff') {
    const { account } = customer;
    const AccountPlace = account.loaded.value?.Place as FunctionComponent<SharedProps> | undefined;
    if (AccountPlace) return <AccountPlace app={app} />;
    return <Later app={app} part={account} back={s.back} title={name === 'find' ? s.find : s.otherDevice} />;
  }
  // One element for both: a form that the customer is writing in must not be drawn anew.
  if (name === 'new' || (name === 'start' && home.value === 'form'))
    return <NewTicket key="form" app={app} />;
  const isThread = ref !== undefined;
  const views = later.loaded.value;
  if (!views)
    return (
      <Later
        app={app}
        part={later}
        back={isThread && s.backToTickets}
        title={isThread ? s.conversation : s.yourTickets}
      />
    );
  return isThread ? <views.Thread key={ref} app={app} /> : <views.Start app={app} />;
}

function Notice({ app }: SharedProps) {
  const { s, staleSince, now, agoText } = app;
  const sentence = notice(app);
  const since = staleSince.value;
  const isDated = since !== null && sentence !== 'onlyHere';
  return (
    <output>
      {sentence && (
        <p class="notice">
          {s[sentence]}
          {isDated && ` ${fill(s.updated, { time: agoText(since, now.value) })}`}
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
