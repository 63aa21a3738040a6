import { afterEach, beforeEach, expect, it } from 'vitest';
import { app, call, closePage, openPage, settle, start } from '../testing/page.ts';

beforeEach(openPage);
afterEach(closePage);

const fields = { name: 'Ana', email: 'ana@example.com', subject: 'Order 7', description: 'Where is it?' };

/** The panel with what the page has filled in. */
async function filledIn() {
  start();
  call('prefill', fields);
  call('open');
  await settle();
  const panel = app();
  panel.say({ type: 'ready' });
  return panel;
}

/** The values that a newly loaded panel is filled with. */
function filledAgain() {
  call('update', { locale: 'en' });
  const { posted, say } = app();
  say({ type: 'ready' });
  return posted.find(({ type }) => type === 'prefill');
}

it('calls before the panel is loaded fill in the fields of all of them', async () => {
  start();
  call('prefill', { name: 'Ana', subject: 'Order 6' });
  call('prefill', { subject: 'Order 7' });
  call('open');
  await settle();
  const { posted, say } = app();
  say({ type: 'ready' });
  expect(posted).toContainEqual({ type: 'prefill', fields: { name: 'Ana', subject: 'Order 7' } });
});

it('after a ticket was sent, name and address are filled in again, but not its text', async () => {
  const { say } = await filledIn();
  say({ type: 'event', event: { name: 'ticket-created', detail: { ticket_id: 't1' } } });
  expect(filledAgain()).toEqual({ type: 'prefill', fields: { ...fields, subject: '', description: '' } });
});

it('after a ticket was sent, its topic and answers are not filled in again', async () => {
  start();
  call('prefill', { name: 'Ana', topic: 'order', fields: { 'order-number': 'AB-123456' } });
  call('open');
  await settle();
  const { say } = app();
  say({ type: 'ready' });
  say({ type: 'event', event: { name: 'ticket-created', detail: { ticket_id: 't1' } } });
  expect(filledAgain()).toEqual({ type: 'prefill', fields: { name: 'Ana', subject: '', description: '' } });
});

it('after a sign-out nothing is filled in for the next customer', async () => {
  await filledIn();
  call('logout');
  expect(filledAgain()).toBeUndefined();
});
