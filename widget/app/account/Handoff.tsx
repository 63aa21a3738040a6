import { fill } from '../i18n/words.ts';
import { Bar, View } from '../ui/View.tsx';
import type { AppProps } from '../app.ts';
import type { HandoffModel } from './handoff.ts';
import { TaskStatus } from '../ui/TaskStatus.tsx';
import { Button } from '../ui/Button.tsx';

/** Hands the customer's tickets to another device, or receives them from one. */
export function Handoff({ app, handoff }: AppProps & { handoff: HandoffModel }) {
  const { s, view, list, session, customer } = app;
  const leave = () => view.go({ name: 'start' });
  const copyLink = () => {
    document.querySelector<HTMLInputElement>('#link')!.select();
    // Not `navigator.clipboard`, which needs a permission in a frame.
    if (document.execCommand('copy')) handoff.markCopied();
  };
  const step = handoff.step.value;
  const { name, number, url, qr = [], isCopied } = step ?? {};
  const isHere = name === 'found' || name === 'waiting';
  const isVerified = session.current.value?.customer?.verified;
  const isTaken = name === 'found' && (list.value.length > 0 || isVerified);
  const choices: Partial<Record<NonNullable<typeof name> | 'taken', [label: string, run: () => unknown][]>> =
    {
      offered: [[isCopied ? s.copied : s.copyLink, copyLink]],
      asked: [
        [s.openThere, handoff.confirm],
        [s.no, leave],
      ],
      found: [[s.openHere, handoff.redeem]],
      // An anonymous customer cannot come back after leaving, so they go to the start, which asks first.
      taken: [isVerified ? [s.signOut, () => customer.signOut(s.signedOut)] : [s.back, leave]],
    };
  const shown = isTaken ? 'taken' : name;
  return (
    <View app={app}>
      <Bar app={app} back={s.back} title={isHere ? s.thisDevice : s.otherDevice} />
      <div class="body single-task">
        {number && (shown === 'asked' || shown === 'waiting') && (
          <p class="handoff-number" aria-hidden="true">
            {number}
          </p>
        )}
        <output>{shown && fill(s.handoff[shown], { number: number ?? '…' })}</output>
        {shown === 'offered' && (
          <>
            <QrCode rows={qr} />
            <div class="field">
              <label for="link">{s.link}</label>
              <input id="link" dir="ltr" readOnly value={url} />
            </div>
          </>
        )}
        {shown &&
          choices[shown]?.map(([label, run], index) => (
            <Button
              key={shown + index}
              label={label}
              look={index ? 'button quiet' : 'button'}
              onClick={run}
            />
          ))}
        <TaskStatus app={app} />
      </div>
    </View>
  );
}

/** A QR code from rows of `0` and `1`. Hidden from screen readers: show its content as text beside it. */
function QrCode({ rows }: { rows: readonly string[] }) {
  const path = rows.flatMap((row, y) =>
    row.split('').map((cell, x) => (cell === '1' ? `M${x} ${y}h1v1h-1` : '')),
  );
  return (
    <svg class="qr" viewBox={`0 0 ${rows.length} ${rows.length}`} aria-hidden="true">
      <path d={path.join('')} />
    </svg>
  );
}
