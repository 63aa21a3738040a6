import { fireEvent, screen, within } from '@testing-library/preact';
import { expect, it, vi } from 'vitest';
import type { Api } from '../api/client.ts';
import { aMessage, aSession, aThread, aTicket, http, settle } from '../testing/fakes.ts';
import { ok } from '../testing/customers.ts';
import { prepareScreen, showApp } from '../testing/screen.tsx';

let app: Awaited<ReturnType<typeof showApp>>;
prepareScreen();

const lost = { ...aSession(), moved: true, email_code: true };
const notice = /You opened this on another device\./;
const wayBack = 'Send me a code';

const sync = (session: typeof lost, tickets = [aTicket()]) =>
  app.push({ name: 'sync', data: { session, tickets, thread: null } });

async function press(name: string) {
  fireEvent.click(screen.getByRole('button', { name }));
  await settle();
}

it('a visitor whose tickets were claimed sees on the start why they are gone, and how to get them back', async () => {
  app = await showApp({ tickets: [aTicket()] });
  await sync(lost, []);
  const list = within(screen.getByRole('list', { name: 'Your tickets' }));
  expect(list.getByText(notice).textContent).toContain('Get a code to see it here too.');
  expect(document.body.textContent).not.toContain('@');
  expect(screen.queryByRole('textbox')).toBeNull();
  expect(document.querySelectorAll('.button:not(.quiet)')).toHaveLength(1);
  await press(wayBack);
  expect(app.models.view.current.value).toEqual({ name: 'find' });
});

it('a conversation on screen that was claimed is replaced by the notice and the field for the address', async () => {
  let isMine = true;
  const read = () => ok(aThread([aMessage({ body: 'Where is it?' })]));
  app = await showApp({
    tickets: [aTicket()],
    calls: { ticket: async () => (isMine ? read() : http('not_found')) },
  });
  app.models.view.go({ name: 'thread', ref: 't1' });
  await settle();
  screen.getByText('Where is it?');
  isMine = false;
  await sync(lost, []);
  await app.models.refresh();
  await settle();
  screen.getByText(notice);
  screen.getByRole('textbox', { name: 'Email' });
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
  expect(screen.queryByText(/Get a code/)).toBeNull();
  expect(screen.queryByRole('button', { name: wayBack })).toBeNull();
});
