import { fireEvent, screen } from '@testing-library/preact';
import { expect, it, vi } from 'vitest';
import type { Api } from '../api/client.ts';
import { aMessage, aSession, aThread, aTicket, http, settle } from '../testing/fakes.ts';
import { ok } from '../testing/customers.ts';
import { prepareScreen, showApp } from '../testing/screen.tsx';

let app: Awaited<ReturnType<typeof showApp>>;
prepareScreen();

const lost = { ...aSession(), moved: true, email_code: true };
const notice = /Some tickets were moved to the verified owner of their email address\./;
const wayBack = 'Find my earlier tickets';

const sync = (session: typeof lost, tickets = [aTicket()]) =>
  app.push({ name: 'sync', data: { session, tickets, thread: null } });

async function press(name: string) {
  fireEvent.click(screen.getByRole('button', { name }));
  await settle();
}

it('a visitor whose tickets were claimed sees on the start why they are gone, and how to get them back', async () => {
  app = await showApp({ tickets: [aTicket()] });
  await sync(lost, []);
  expect(screen.getByText(notice).textContent).not.toContain('@');
  screen.getByText(/sign in with a code to see them again/);
  expect(screen.queryByRole('textbox')).toBeNull();
  await press(wayBack);
  expect(app.support.view.current.value).toEqual({ name: 'find' });
});

it('a conversation on screen that was claimed is replaced by the notice', async () => {
  let isMine = true;
  const read = () => ok(aThread([aMessage({ body: 'Where is it?' })]));
  app = await showApp({
    tickets: [aTicket()],
    calls: { ticket: async () => (isMine ? read() : http('not_found')) },
  });
  app.support.view.go({ name: 'thread', ref: 't1' });
  await settle();
  screen.getByText('Where is it?');
  isMine = false;
  await sync(lost, []);
  await app.support.refresh();
  await settle();
  screen.getByText(notice);
  expect(document.body.textContent).not.toMatch(/Where is it|isn’t available/);
});

it('the notice is shown beside other tickets until it is dismissed', async () => {
  const dismissMoved = vi.fn<Api['dismissMoved']>(() => ok({ ...lost, moved: false }));
  app = await showApp({ tickets: [aTicket()], calls: { dismissMoved } });
  await sync(lost);
  screen.getByText('My order');
  await press('Got it');
  expect(dismissMoved).toHaveBeenCalledOnce();
  expect(screen.queryByText(notice)).toBeNull();
});

it('the notice offers no code where no mail can be sent', async () => {
  app = await showApp({ tickets: [aTicket()] });
  await sync({ ...lost, email_code: false }, []);
  screen.getByText(notice);
  expect(screen.queryByText(/with a code/)).toBeNull();
  expect(screen.queryByRole('button', { name: wayBack })).toBeNull();
});
