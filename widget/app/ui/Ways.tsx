import { Outcome } from './Outcome.tsx';
import type { SharedProps } from './shared.ts';

/** At the end of the start: what a customer rarely needs. One who could not come back leaves in two steps. */
export function Ways({ app }: SharedProps) {
  const { s, session, list, view, customer } = app;
  const { isLeaving } = customer;
  const { customer: known, email_code, moved } = session.current.value ?? {};
  const isVerified = known?.verified;
  const isAsked = known && !isVerified && isLeaving.value;
  const signOut = () => void customer.signOut();
  const askFirst = () => {
    isLeaving.value = !isAsked;
  };
  const ways: [isOffered: unknown, label: string, go: () => void, look?: string][] = [
    [!isAsked && !isVerified && !moved && email_code, s.find, () => view.go({ name: 'find' })],
    [!isAsked && known && list.value.length > 0, s.otherDevice, () => view.go({ name: 'handoff' })],
    [isAsked, s.forget, signOut, 'button harmful'],
    isVerified
      ? [true, s.signOut, signOut]
      : [known, isAsked ? s.back : s.forget, askFirst, isAsked ? 'button quiet' : 'link harmful'],
  ];
  return (
    <div class="ways">
      <output class="label">{isAsked && s.forgetHint}</output>
      {ways.map(
        ([isOffered, label, go, look], place) =>
          isOffered && (
            // By its place the last one stays itself: focus too, and a second press in haste only goes back.
            <button key={place} type="button" class={look || 'link'} onClick={go}>
              {label}
            </button>
          ),
      )}
      <Outcome app={app} />
    </div>
  );
}
