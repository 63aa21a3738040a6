import { fireEvent, screen } from '@testing-library/preact';
import { expect, it, vi } from 'vitest';
import type { CustomerData } from '../../../shared/contract/customer-data.ts';
import type { Session } from '../../../shared/contract/session.ts';
import { type AnyApi, aSession, aTicket, http, settle } from '../testing/fakes.ts';
import { ok } from '../testing/customers.ts';
import { choose, prepareScreen, showApp } from '../testing/screen.tsx';

let app: Awaited<ReturnType<typeof showApp>>;
prepareScreen();

const verified: Session = {
  ...aSession(),
  customer: { email: 'ana@example.com', name: 'Ana', verified: true, owner: 'ana' },
};
const times = { created_at: '2026-11-21T10:00:00Z', last_used_at: '2026-11-21T11:00:00Z' };
const data: CustomerData = {
  version: 1,
  exported_at: '2026-11-21T12:00:00Z',
  email: 'ana@example.com',
  name: 'Ana',
  verified: true,
  devices: [times],
  tickets: [],
  sends: [],
};
const button = (name: string) => screen.queryByRole('button', { name });
async function press(name: string) {
  fireEvent.click(screen.getByRole('button', { name }));
  await settle();
}

async function open(calls: Partial<AnyApi> = {}) {
  const devices = () =>
    ok([
      { ...times, current: true },
      { ...times, current: false },
    ]);
  app = await showApp({ tickets: [aTicket()], session: verified, calls: { devices, ...calls } });
  await choose('Your data and devices');
}

it('a customer who has not verified their address is not offered the view', async () => {
  app = await showApp({ tickets: [aTicket()], session: aSession() });
  expect(button('Your data and devices')).toBeNull();
});

it('the view lists the devices, this one by name', async () => {
  await open();
  const items = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(items).toEqual(['This device', expect.stringMatching(/^Last used .*2026/)]);
});

it('a download saves what is stored as a JSON file', async () => {
  const blobs: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => `blob:${blobs.push(blob as Blob)}`);
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => {});
  const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  await open({ data: () => ok(data) });
  await press('Download my data');
  expect(clicked).toHaveBeenCalledOnce();
  expect(JSON.parse(await blobs[0]!.text())).toEqual(data);
});

it('a deletion asks first, says what stays, and then leaves nothing on the page', async () => {
  const deleteData = vi.fn<AnyApi['deleteData']>(() => ok(null));
  await open({ deleteData });
  await press('Delete my data');
  expect(deleteData).not.toHaveBeenCalled();
  expect(document.body.textContent).toContain('Support keeps what you sent.');
  await press('Delete now');
  expect(deleteData).toHaveBeenCalledOnce();
  expect(document.body.innerHTML).not.toContain('ana@');
  expect(button('Send')).not.toBeNull();
  screen.getByText('Your data was deleted.');
});

it('a deletion pressed twice only asks and goes back', async () => {
  const deleteData = vi.fn<AnyApi['deleteData']>(() => ok(null));
  await open({ deleteData });
  const same = screen.getByRole('button', { name: 'Delete my data' });
  fireEvent.click(same);
  await settle();
  fireEvent.click(same);
  await settle();
  expect(deleteData).not.toHaveBeenCalled();
  expect(button('Delete my data')).not.toBeNull();
});

it('a deletion that is refused says that a message is still on its way, and keeps the customer', async () => {
  await open({ deleteData: async () => http('operation_in_progress') });
  await press('Delete my data');
  await press('Delete now');
  screen.getByText('One of your messages is still being sent. Try again later.');
  expect(app.models.session.current.value?.customer).not.toBeNull();
});

it('a sign-out everywhere leaves nothing on the page', async () => {
  const signOutEverywhere = vi.fn<AnyApi['signOutEverywhere']>(() => ok(null));
  await open({ signOutEverywhere });
  await press('Sign out everywhere');
  expect(signOutEverywhere).toHaveBeenCalledOnce();
  screen.getByText('You’re signed out on all devices.');
  expect(document.body.innerHTML).not.toContain('ana@');
});
