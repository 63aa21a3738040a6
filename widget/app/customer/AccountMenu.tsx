import type { AppProps } from '../app.ts';
import { Menu } from '../ui/Menu.tsx';
import { TaskStatus } from '../ui/TaskStatus.tsx';
import { Transfer } from './Offers.tsx';
import { Button } from '../ui/Button.tsx';

/** What few customers need of the start: earlier tickets, other devices, their data, and to leave. */
export function AccountMenu({ app }: AppProps) {
  const { s, session, list, view, customer } = app;
  const { customer: known, email_code, moved } = session.current.value ?? {};
  const isVerified = known?.verified;
  return (
    <Menu
      app={app}
      id="account-menu"
      items={[
        !isVerified && !moved && email_code && [s.find, () => view.go({ name: 'find' })],
        known && list.value.length > 0 && [s.otherDevice, () => view.go({ name: 'handoff' })],
        isVerified && [s.data.title, () => view.go({ name: 'data' })],
        isVerified
          ? [s.signOut, () => void customer.signOut(s.signedOut)]
          : known && [s.forget, customer.askToLeave],
      ]}
    />
  );
}

/** Below the greeting: what the customer is asked, and what came of their last action. */
export function AccountNotices({ app }: AppProps) {
  return (
    <>
      <Transfer app={app} />
      <Leaving app={app} />
      <TaskStatus app={app} />
    </>
  );
}

/** "Forget me" asks first, since a customer without an account cannot undo it. */
function Leaving({ app: { s, session, customer } }: AppProps) {
  const known = session.current.value?.customer;
  if (!customer.isLeaving.value || !known || known.verified) return null;
  return (
    <section class="moved" aria-labelledby="leaving" tabIndex={-1} data-focus="summary">
      <p id="leaving">{s.forgetHint}</p>
      <Button label={s.forget} look="button harmful" onClick={() => customer.signOut(s.forgotten)} />
      <Button
        label={s.back}
        look="button quiet"
        onClick={() => {
          customer.isLeaving.value = false;
        }}
      />
    </section>
  );
}
