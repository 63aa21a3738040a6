import { fireEvent, screen, within } from '@testing-library/preact';
import { expect, it } from 'vitest';
import { aMessage, aThread, aTicket, settle } from '../testing/fakes.ts';
import { prepareScreen, showApp } from '../testing/screen.tsx';

prepareScreen();

const own = aTicket({ id: 't0', key: null, subject: 'My own', updated_at: '2026-11-20T10:00:00Z' });
const theirs = aTicket({ key: null, colleague: true });

it('a colleague’s ticket is below the own ones, and its conversation has no field and no words of the reader', async () => {
  const ticket = async () => ({ ok: true as const, value: aThread([aMessage({ key: null })], theirs) });
  await showApp({ tickets: [theirs, own], calls: { ticket } });
  const headings = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
  expect(headings).toEqual(['Your tickets', 'Your colleagues’ tickets']);
  within(screen.getByRole('list', { name: 'Your tickets' })).getByText('My own');
  const list = within(screen.getByRole('list', { name: 'Your colleagues’ tickets' }));
  fireEvent.click(list.getByRole('button', { name: /My order/ }));
  await settle();
  screen.getByText('Opened by a colleague. Only they can reply.');
  const log = screen.getByRole('log', { name: 'Conversation' });
  within(log).getByText('Colleague');
  expect(log.textContent).not.toMatch(/You|Sent|Thanks/);
  expect(screen.queryByRole('textbox')).toBeNull();
});

it('a customer without tickets of their own has no empty list of them', async () => {
  await showApp({ tickets: [theirs] });
  screen.getByRole('list', { name: 'Your colleagues’ tickets' });
  expect(screen.queryByText('Your tickets')).toBeNull();
});
