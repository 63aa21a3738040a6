import { fireEvent, screen } from '@testing-library/preact';
import { expect, it, vi } from 'vitest';
import type { Session } from '../../../shared/contract/session.ts';
import type { Api } from '../api/client.ts';
import { aMessage, aSession, aThread, aTicket, http, settle } from '../testing/fakes.ts';
import { ok } from '../testing/customers.ts';
import { prepareScreen, showApp } from '../testing/screen.tsx';

let app: Awaited<ReturnType<typeof showApp>>;
prepareScreen();

const signedIn = (transferable: number): Session => ({
  ...aSession(),
  customer: { email: 'ana@shop.example', name: 'Ana', verified: true, owner: 'ana' },
  transferable,
});
const question = 'Add this conversation to your account?';

/** A press like a person's: events from scripts are not trusted. */
async function press(name: string) {
  const event = new MouseEvent('click', { bubbles: true });
  Object.defineProperty(event, 'isTrusted', { value: true });
  fireEvent(screen.getByRole('button', { name }), event);
  await settle();
}

const sync = (session: Session, tickets = [aTicket()]) =>
  app.push({ name: 'sync', data: { session, tickets, thread: null } });

/** A visitor reads a conversation; then the site identifies its customer, who does not own it. */
async function named(calls: Partial<Api> = {}) {
  let isOwn = true;
  app = await showApp({
    tickets: [aTicket()],
    calls: {
      ticket: async () => (isOwn ? ok(aThread([aMessage({ body: 'Where is it?' })])) : http('not_found')),
      identify: () => ok(signedIn(1)),
      transfer: () => ok(signedIn(0)),
      ...calls,
    },
  });
  app.models.view.go({ name: 'thread', ref: 't1' });
  await settle();
  screen.getByText('Where is it?');
  isOwn = false;
  await app.models.customer.identity.identify('jwt');
  await sync(signedIn(1), []);
  await app.models.refresh();
  await settle();
  return {
    comesBack() {
      isOwn = true;
    },
  };
}

it('the start asks whether tickets from before the sign-in join the account, and names the account', async () => {
  const transfer = vi.fn<Api['transfer']>(() => ok(signedIn(0)));
  app = await showApp({ tickets: [], calls: { transfer } });
  await sync(signedIn(2), []);
  screen.getByRole('heading', { name: 'Add 2 conversations to your account?' });
  screen.getByText(/You’re signed in as ana@shop\.example\./);
  expect(screen.queryByRole('textbox')).toBeNull();
  await press('Add');
  expect(transfer.mock.calls).toEqual([[true]]);
  expect(screen.queryByText(/to your account/)).toBeNull();
  await sync(signedIn(0));
  screen.getByText('My order');
});

it('a conversation on screen at the sign-in is replaced by the question, and shown again after “Add”', async () => {
  const visit = await named();
  expect(document.body.textContent).not.toContain('Where is it?');
  expect(document.body.textContent).not.toContain('isn’t available');
  screen.getByRole('heading', { name: question });
  visit.comesBack();
  await press('Add');
  await sync(signedIn(0));
  await app.models.refresh();
  await settle();
  screen.getByText('Where is it?');
  expect(screen.queryByText(question)).toBeNull();
});

it('“No” goes to the start without the question', async () => {
  const transfer = vi.fn<Api['transfer']>(() => ok(signedIn(0)));
  await named({ transfer });
  await press('No');
  expect(transfer.mock.calls).toEqual([[false]]);
  expect(app.models.view.current.value).toEqual({ name: 'start' });
  expect(screen.queryByText(question)).toBeNull();
});

it.each(['Add', 'No'])('a click on “%s” by a script does nothing [identity-26]', async (name) => {
  const transfer = vi.fn<Api['transfer']>();
  await named({ transfer });
  screen.getByRole('button', { name }).click();
  await settle();
  expect(transfer).not.toHaveBeenCalled();
  screen.getByRole('heading', { name: question });
});

it('a failure is shown under the question, which stays', async () => {
  await named({ transfer: async () => http('upstream_unavailable') });
  await press('Add');
  screen.getByRole('heading', { name: question });
  expect(screen.queryAllByText('We can’t reach support right now.')).toHaveLength(1);
});
