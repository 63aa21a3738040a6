import type { FunctionComponent } from 'preact';
import { Later } from './Later.tsx';
import { NewTicket } from './NewTicket.tsx';
import type { SharedProps } from './shared.ts';

/** The panel: what is not up to date, one view, and what only screen readers hear. */
export function App({ app }: SharedProps) {
  const { close, overlay, later, customer } = app;
  const views = later.loaded.value;
  // SECURITY: what is here may be somebody else's.
  if (customer.identity.isWaiting.value)
    return (
      <div class={close ? 'panel' : 'panel page'}>
        {views ? (
          <views.Identifying app={app} />
        ) : (
          <Later app={app} part={later} back={false} title={app.s.loading} />
        )}
      </div>
    );
  return (
    <div class={close ? 'panel' : 'panel page'}>
      {overlay.value ?? [views && <views.Notice key="notice" app={app} />, <Place key="place" app={app} />]}
      {views && <views.Spoken app={app} />}
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
