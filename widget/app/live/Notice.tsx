import { fill, type SentenceKey } from '../i18n/words.ts';
import type { App, AppProps } from '../app.ts';
import { brandOf } from '../ui/View.tsx';

/** Says what was just done, when the screen may be out of date, or when a text is in this browser only. */
export function Notice({ app }: AppProps) {
  const { s, agoText, view, staleSince, now } = app;
  const said = view.said.value;
  const sentence = said === null && notice(app);
  const since = staleSince.value;
  const isDated = since !== null && sentence !== 'onlyHere';
  return (
    <output>
      {said && <p class="notice">{said}</p>}
      {sentence && (
        <p class="notice">
          {s[sentence]}
          {isDated && ` ${fill(s.updated, { time: agoText(since, now.value) })}`}
        </p>
      )}
    </output>
  );
}

function notice({ isOnline, live, isFresh, outbox, tickets, viewedId }: App): SentenceKey | null {
  if (outbox.isUnstored.value) return 'onlyHere';
  if (!isOnline.value) return 'offline';
  if (outbox.isOnlyHere.value) return 'onlyHere';
  if (live.isLate.value) return 'reconnecting';
  const isRead = tickets.thread(viewedId.value ?? '')?.read_at !== null;
  return isFresh.value && isRead ? null : 'stale';
}

/** Announces each agent's message once to screen readers. */
export function LiveAnnouncer({ app }: AppProps) {
  const { s, tickets } = app;
  const elsewhere = tickets.arrivedElsewhere.value;
  const here = tickets.arrivedHere.value;
  // The key makes a new element for each message, so that the same text is announced again.
  return (
    <>
      <output class="unseen">
        {elsewhere && <p key={elsewhere}>{fill(s.arrived, { subject: elsewhere.subject })}</p>}
      </output>
      <output class="unseen">
        {here && (
          <p
            key={here}
          >{`${brandOf(app)} – ${(here.preview?.text || app.site?.attachedText(app, here.preview?.files)) ?? ''}`}</p>
        )}
      </output>
    </>
  );
}
