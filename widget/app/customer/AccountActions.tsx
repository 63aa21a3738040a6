import { TaskStatus } from '../ui/TaskStatus.tsx';
import type { AppProps } from '../app.ts';

/** Actions at the end of the start view. "Forget me" asks first, since a customer without an account cannot undo it. */
export function AccountActions({ app }: AppProps) {
  const { s, session, list, view, customer } = app;
  const { isLeaving } = customer;
  const { customer: known, email_code, moved } = session.current.value ?? {};
  const isVerified = known?.verified;
  const isAsked = known && !isVerified && isLeaving.value;
  const signOut = () => void customer.signOut(isVerified ? s.signedOut : s.forgotten);
  const askFirst = () => {
    isLeaving.value = !isAsked;
  };
  const actions: [isOffered: unknown, label: string, go: () => void, look?: string][] = [
    [!isAsked && !isVerified && !moved && email_code, s.find, () => view.go({ name: 'find' })],
    [!isAsked && known && list.value.length > 0, s.otherDevice, () => view.go({ name: 'handoff' })],
    [isVerified, s.data.title, () => view.go({ name: 'data' })],
    [isAsked, s.forget, signOut, 'button harmful'],
    isVerified
      ? [true, s.signOut, signOut]
      : [known, isAsked ? s.back : s.forget, askFirst, isAsked ? 'button quiet' : 'link harmful'],
  ];
  return (
    <div class="account-actions">
      <output class="label">{isAsked && s.forgetHint}</output>
      {actions.map(
        ([isOffered, label, go, look], place) =>
          isOffered && (
            // Keyed by position, so the last button stays the same element: it keeps the focus, and a double press of
            // "Forget me" only goes back.
            <button key={place} type="button" class={look || 'link'} onClick={go}>
              {label}
            </button>
          ),
      )}
      <TaskStatus app={app} />
    </div>
  );
}
