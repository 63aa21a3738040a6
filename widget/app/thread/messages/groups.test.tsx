import { fireEvent, screen } from '@testing-library/preact';
import { expect, it, vi } from 'vitest';
import { aMessage, aSession, aThread, aTicket, settle } from '../../testing/fakes.ts';
import { prepareScreen, showApp } from '../../testing/screen.tsx';
import { MessageGroup } from './Groups.tsx';

const count = 500;
/** The time of the app's clock. */
const now = Date.parse('2026-11-21T12:00:00Z');
/** One every hour until now, so that each is a group. */
const messages = Array.from({ length: count }, (_, place) =>
  aMessage({
    id: `m${place}`,
    key: null,
    body: `Number ${place}`,
    created_at: new Date(now - (count - 1 - place) * 3_600_000).toISOString(),
  }),
);
const answer = aMessage({
  id: 'new',
  key: null,
  author_type: 'agent',
  body: 'On its way',
  created_at: new Date(now).toISOString(),
});

let app: Awaited<ReturnType<typeof showApp>>;
prepareScreen();

async function openThread() {
  app = await showApp({
    tickets: [aTicket()],
    calls: { ticket: async () => ({ ok: true, value: aThread(messages) }) },
  });
  fireEvent.click(screen.getByRole('button', { name: /My order/ }));
  await settle();
  return screen.getByRole('log');
}

const bodies = (log: HTMLElement) => [...log.querySelectorAll('.text')].map((text) => text.textContent);

it('a new answer renders only its own group', async () => {
  const log = await openThread();
  const draw = vi.spyOn(MessageGroup.prototype, 'render');
  await app.push({ name: 'message', data: { ticket_id: 't1', message: answer } });
  expect(bodies(log).at(-1)).toBe('On its way');
  expect(draw).toHaveBeenCalledTimes(1);
});

it('an equal conversation is not rendered again', async () => {
  await openThread();
  const draw = vi.spyOn(MessageGroup.prototype, 'render');
  const thread = structuredClone(aThread(messages));
  await app.push({ name: 'sync', data: { session: aSession(), tickets: [aTicket()], thread } });
  expect(draw).not.toHaveBeenCalled();
});

it('the time of an own message from the future shows: the clock of this device may be behind', async () => {
  const late = aMessage({ id: 'late', created_at: new Date(now + 3_600_000).toISOString() });
  app = await showApp({
    tickets: [aTicket()],
    calls: { ticket: async () => ({ ok: true, value: aThread([late]) }) },
  });
  fireEvent.click(screen.getByRole('button', { name: /My order/ }));
  await settle();
  expect(screen.getByRole('log').querySelector('time')!.style.visibility).toBe('');
});
