import { fill } from '../i18n/words.ts';
import type { SharedProps } from './shared.ts';

/** What only screen readers hear: each agent's message, once. */
export function Spoken({ app: { s, tickets } }: SharedProps) {
  const elsewhere = tickets.arrivedElsewhere.value;
  const here = tickets.arrivedHere.value;
  // A key for each: the same words again are news, too.
  return (
    <>
      <output class="unseen">
        {elsewhere && <p key={elsewhere}>{fill(s.arrived, { subject: elsewhere.subject })}</p>}
      </output>
      <output class="unseen">
        {here && <p key={here}>{`${s.support} – ${here.preview?.text ?? ''}`}</p>}
      </output>
    </>
  );
}
