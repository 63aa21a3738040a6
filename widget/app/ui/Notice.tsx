import type { SentenceKey } from '../i18n/words.ts';
import { fill } from '../i18n/words.ts';
import type { Shared, SharedProps } from './shared.ts';
import { agoText } from './times.ts';

/** What the customer should know of all that is shown: that it may be old, or where a text still is. */
export function Notice({ app }: SharedProps) {
  const { s, staleSince, now } = app;
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
