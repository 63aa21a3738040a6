import type { ComponentType } from 'preact';
import { LoadingView } from './ui/LoadingView.tsx';
import { NewTicket } from './new-ticket/NewTicket.tsx';
import type { PlaceProps, SharedProps } from './shared.ts';
import { Hero } from './ui/Hero.tsx';

/** The panel: the notice, one view, and announcements for screen readers. */
export function App({ app }: SharedProps) {
  const { s, overlay, deferred, session } = app;
  const views = deferred.loaded.value;
  const known = views?.app.known.loaded.value;
  // SECURITY: the session may be another customer's, so nothing of it is shown.
  if (session.isWaiting.value)
    return (
      <div class="panel">
        {known ? (
          <known.Identifying app={known.app} />
        ) : (
          <LoadingView app={app} script={views?.app.known ?? deferred} title={s.loading} />
        )}
      </div>
    );
  return (
    <div class="panel">
      {overlay.value ?? [
        views && <views.Notice key="notice" app={views.app} />,
        <Current key="place" app={app} />,
      ]}
      {known && <known.LiveAnnouncer app={known.app} />}
    </div>
  );
}

function Current({ app }: SharedProps) {
  const { s, view, home, deferred, site } = app;
  const page = site?.page(app, Hero);
  if (page) return page;
  const { name, ref } = view.current.value;
  // One element for both views, so that the form is not recreated while the customer writes.
  if (name === 'new' || (name === 'start' && home.value === 'form'))
    return <NewTicket key="form" app={app} />;
  const views = deferred.loaded.value;
  if (views && name === 'thread') return <views.Thread key={ref} app={views.app} />;
  const known = views?.app.known.loaded.value;
  if (known && name === 'start') return <known.Start app={known.app} />;
  const account = known?.app.customer.account;
  const Place = account?.loaded.value?.Place as ComponentType<PlaceProps> | undefined;
  if (known && Place) return <Place app={known.app} status={<known.TaskStatus app={known.app} />} />;
  const [title, back] = {
    find: [s.find, s.back],
    handoff: [s.otherDevice, s.back],
    data: [known?.app.s.data.title, s.back],
    thread: [s.conversation, s.backToTickets],
    start: [s.yourTickets],
  }[name as 'start'] as [string, string?];
  return <LoadingView app={app} script={account ?? views?.app.known ?? deferred} back={back} title={title} />;
}
