import { fill } from '../i18n/words.ts';
import { Bar } from '../ui/Bar.tsx';
import { Outcome } from '../ui/Outcome.tsx';
import type { SharedProps } from '../ui/shared.ts';
import type { HandoffModel } from './handoff.ts';
import { QrCode } from './QrCode.tsx';
import { View } from '../ui/View.tsx';

/** The customer's tickets on their way to another device, or to this one. */
export function Handoff({ app, handoff }: SharedProps & { handoff: HandoffModel }) {
  const { s, view, list, session, customer } = app;
  const leave = () => view.go({ name: 'start' });
  const copyLink = () => {
    document.querySelector<HTMLInputElement>('#link')!.select();
    // Of the two ways to copy this is the one that needs no permission in a frame.
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
      // Who could not come back is asked first, where that stands.
      taken: [isVerified ? [s.signOut, customer.signOut] : [s.back, leave]],
    };
  const shown = isTaken ? 'taken' : name;
  return (
    <View app={app}>
      <Bar app={app} back={s.back} title={isHere ? s.thisDevice : s.otherDevice} />
      <div class="body">
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
            <button key={shown + index} type="button" class={index ? 'button quiet' : 'button'} onClick={run}>
              {label}
            </button>
          ))}
        <Outcome app={app} />
      </div>
    </View>
  );
}
