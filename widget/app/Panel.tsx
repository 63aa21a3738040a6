import type { AppProps } from './app.ts';
import { Account, later, LiveAnnouncer, Notice, scriptOnScreen, Thread } from './later-views.tsx';
import { NewTicket } from './new-ticket/NewTicket.tsx';
import { Hero } from './ui/Hero.tsx';
import { LoadingView } from './ui/Waiting.tsx';
import { Bar, View } from './ui/View.tsx';
import { Button } from './ui/Button.tsx';

/** Until its script is loaded, it is as the document has drawn it. */
const Start = later(
  ({ returning }) => returning.loaded.value?.Start,
  ({ app }) => <LoadingView app={app} script={app.scripts.returning} head={<Hero app={app} />} />,
);

/** The panel: the notice, one view, and announcements for screen readers. */
export function Panel({ app }: AppProps) {
  const { overlay, session } = app;
  return (
    <div class="panel">
      {/* SECURITY: the session may be another customer's, so nothing of it is shown. */}
      {session.isWaiting.value ? (
        <Identifying app={app} />
      ) : (
        <>
          {overlay.value ?? (
            <>
              <Notice app={app} />
              <Current app={app} />
            </>
          )}
          <LiveAnnouncer app={app} />
        </>
      )}
    </div>
  );
}

function Current({ app }: AppProps) {
  const page = app.site?.page(app);
  if (page) return page;
  const script = scriptOnScreen(app);
  if (script === 'conversation') return <Thread key={app.view.current.value.ref} app={app} />;
  if (script === 'returning') return <Start app={app} />;
  if (script === 'account') return <Account app={app} />;
  // One element for both views with the form, so that it is not recreated while the customer writes.
  return <NewTicket key="form" app={app} />;
}

/** Shown until it is known whose session this is. It shows no data, and a button to continue without signing in. */
function Identifying({ app }: AppProps) {
  const { s, customer } = app;
  const { isSlow, giveUp } = customer.identity;
  return (
    <View app={app}>
      <Bar app={app} title={s.identifying} />
      <div class="remedy">
        <output>{isSlow.value && <p>{s.identifyingSlow}</p>}</output>
        <Button label={s.asNobody} look="button quiet" onClick={() => giveUp()} />
      </div>
    </View>
  );
}
