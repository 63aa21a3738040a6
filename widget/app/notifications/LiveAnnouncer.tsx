import { fill } from '../i18n/words.ts';
import { brandOf } from '../ui/View.tsx';
import type { AppProps } from '../app.ts';

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
