import { LoadingView } from './ui/LoadingView.tsx';
import { NewTicket } from './new-ticket/NewTicket.tsx';
import type { SharedProps } from './shared.ts';

/** The panel: the notice, one view, and announcements for screen readers. */
export function App({ app }: SharedProps) {
  const { s, overlay, deferred, session } = app;
  const views = deferred.loaded.value;
  // SECURITY: the session may be another customer's, so nothing of it is shown.
  if (session.isWaiting.value)
    return (
      <div class="panel">
        {views ? (
          <views.Identifying app={views.app} />
        ) : (
          <LoadingView app={app} script={deferred} title={s.loading} />
        )}
      </div>
    );
  return (
    <div class="panel">
      {overlay.value ?? [
        views && <views.Notice key="notice" app={views.app} />,
        <Place key="place" app={app} />,
      ]}
      {views && <views.LiveAnnouncer app={views.app} />}
    </div>
  );
}

function Place({ app }: SharedProps) {
  const { s, view, home, deferred } = app;
  const { name, ref } = view.current.value;
  // One element for both views, so that the form is not recreated while the customer writes.
  if (name === 'new' || (name === 'start' && home.value === 'form'))
    return <NewTicket key="form" app={app} />;
  const views = deferred.loaded.value;
  if (!views) {
    const title = { find: s.find, handoff: s.otherDevice, thread: s.conversation, start: s.yourTickets }[
      name
    ];
    return (
      <LoadingView app={app} script={deferred} back={name === 'thread' && s.backToTickets} title={title} />
    );
  }
  if (name === 'find' || name === 'handoff') return <views.Account app={views.app} />;
  return name === 'thread' ? <views.Thread key={ref} app={views.app} /> : <views.Start app={views.app} />;
}
