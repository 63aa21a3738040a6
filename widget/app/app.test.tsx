import { fireEvent, screen } from '@testing-library/preact';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Api } from './api/client.ts';
import {
  aMessage,
  aSession,
  aThread,
  aTicket,
  fakeStorage,
  http,
  newStore,
  offline,
  settle,
} from './testing/fakes.ts';
import { prepareScreen, showApp } from './testing/screen.tsx';

let app: Awaited<ReturnType<typeof showApp>>;
let isTouch = false;
beforeEach(() => {
  isTouch = false;
});
prepareScreen(() => isTouch);

const tickets = [
  aTicket({ unread: 2, preview: { author_type: 'agent', text: 'On its way' } }),
  aTicket({ id: 't2', subject: 'Invoice', status: 'onHold', updated_at: '2026-11-20T10:00:00Z' }),
];
const ticket = async () => ({ ok: true as const, value: aThread() });
const press = async (name: string | RegExp) => {
  fireEvent.click(screen.getByRole('button', { name }));
  await settle();
};

const notice = () => screen.getAllByRole('status')[0]!.textContent;

describe('the full page', () => {
  const siteLink = { url: 'https://shop.example/', label: 'Back to shop.example' };

  it('leads to the operator’s site from every view, and the panel does not', async () => {
    app = await showApp({ tickets, siteLink, calls: { ticket } });
    const link = () => screen.getByRole<HTMLAnchorElement>('link', { name: 'Back to shop.example' }).href;
    expect(link()).toBe(siteLink.url);
    await press(/My order/);
    expect(link()).toBe(siteLink.url);
    app.end();
    app = await showApp({ tickets, isEmbedded: true });
    expect(screen.queryByRole('link')).toBeNull();
  });
});

describe('the start view', () => {
  it('lists tickets, newest first, unread ones marked', async () => {
    app = await showApp({ tickets });
    const rows = [...screen.getByRole('list', { name: 'Your tickets' }).querySelectorAll('li')];
    expect(rows.map((row) => row.querySelector('.ticket-subject')!.textContent)).toEqual([
      'My order',
      'Invoice',
    ]);
    expect(rows[0]!.textContent).toContain('2 new replies');
    expect(rows[0]!.textContent).toContain('Support On its way');
    expect(rows[1]!.textContent).not.toContain('repl');
    screen.getByRole('button', { name: 'New ticket' });
  });

  it('offers a retry when the tickets could not be loaded', async () => {
    const load = vi.fn<Api['tickets']>(async () => http('internal', { retryable: true }));
    const calls = { tickets: load, events: async () => offline.error, session: async () => offline };
    app = await showApp({ tickets: [], calls });
    for (let turn = 0; turn < 3; turn += 1) await app.clock.advance(20_000);
    expect(screen.getByRole('alert').textContent).toContain('This couldn’t be loaded');
    load.mockResolvedValue({ ok: true, value: tickets });
    await press('Try again');
    screen.getByRole('list', { name: 'Your tickets' });
  });
});

describe('the main landmark', () => {
  const mainName = () => screen.getByRole('main').getAttribute('aria-label');

  it('is labelled with the name of the support in every view', async () => {
    app = await showApp({ tickets, settings: { brand: 'Acme' }, calls: { ticket } });
    expect(mainName()).toBe('Acme');
    await press('New ticket');
    expect(mainName()).toBe('Acme');
    await press('Back to your tickets');
    await press(/Invoice/);
    expect(mainName()).toBe('Acme');
  });

  it('is labelled also when the view could not be loaded', async () => {
    app = await showApp({ tickets, loadReturning: () => Promise.reject(new Error('offline')) });
    expect(mainName()).toBe('Support');
  });
});

describe('focus', () => {
  it('goes to the reply on opening a ticket, and back to its row on return', async () => {
    app = await showApp({ tickets, calls: { ticket } });
    await press(/Invoice/);
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Write a reply' }));
    await press('Back to your tickets');
    expect(document.activeElement).toBe(screen.getByRole('button', { name: /Invoice/ }));
  });

  it('goes to the heading when a field would open an on-screen keyboard', async () => {
    isTouch = true;
    app = await showApp({ tickets, calls: { ticket } });
    await press(/Invoice/);
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
  });

  it('goes to a useful element when the focused one is removed', async () => {
    const load = vi.fn<Api['ticket']>(async () => offline);
    app = await showApp({ tickets, calls: { ticket: load } });
    await press(/My order/);
    load.mockImplementation(ticket);
    const again = screen.getByRole('button', { name: 'Try again' });
    again.focus();
    await press('Try again');
    expect(again.isConnected).toBe(false);
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Write a reply' }));
  });

  it('is left alone until the host page opens the panel', async () => {
    app = await showApp({ isEmbedded: true });
    expect(document.activeElement).toBe(document.body);
    app.models.isOpen.value = true;
    await settle();
    expect(document.activeElement).toBe(screen.getByLabelText('Message'));
  });

  it('is not taken from the host page, and moves when the frame gets it', async () => {
    const hasFocus = vi.spyOn(document, 'hasFocus').mockReturnValue(false);
    app = await showApp({ isEmbedded: true });
    app.models.isOpen.value = true;
    await settle();
    expect(document.activeElement).toBe(document.body);
    hasFocus.mockReturnValue(true);
    window.dispatchEvent(new Event('focus'));
    expect(document.activeElement).toBe(screen.getByLabelText('Message'));
    hasFocus.mockRestore();
  });
});

describe('closing the panel', () => {
  it('is requested by the button and by Escape, but not by Escape in an input method', async () => {
    app = await showApp({ isEmbedded: true });
    await press('Close');
    fireEvent.keyDown(document.body, { key: 'Escape' });
    // Safari ends the composition first.
    fireEvent.keyDown(document.body, { key: 'Escape', isComposing: false, keyCode: 229 });
    expect(app.closes).toHaveLength(2);
  });

  it('is not offered on the full page', async () => {
    app = await showApp();
    expect(screen.queryByRole('button', { name: 'Close' })).toBeNull();
  });
});

describe('the notice', () => {
  it('says that a text is not stored, and the text is sent', async () => {
    const reply = vi.fn<Api['reply']>(() => new Promise<never>(() => {}));
    const storage = newStore(fakeStorage({ room: 0 }));
    app = await showApp({ tickets, storage, calls: { ticket, reply } });
    app.models.outbox.addMessage({ id: 't1', key: null }, { body: 'Hello' });
    await settle();
    expect(notice()).toBe('Keep this page open until your message is sent.');
    app.models.setOnline(false);
    await settle();
    expect(notice()).toBe('Keep this page open until your message is sent.');
    expect(reply).toHaveBeenCalledOnce();
  });

  it('says that there is no network, no stream or no service', async () => {
    app = await showApp({ tickets });
    app.models.setOnline(false);
    await settle();
    expect(notice()).toMatch(/^You’re offline/);
    app.models.setOnline(true);
    await app.push({ name: 'freshness', data: { fresh: false } });
    expect(notice()).toMatch(/^We can’t reach support right now/);
    app.models.live.status.value = 'late';
    await settle();
    expect(notice()).toMatch(/^Reconnecting… Last updated (now|\d+ .* ago)$/);
  });

  it('has no time before the first update, nor when all is up to date again', async () => {
    const storage = newStore();
    storage.write('used', true);
    app = await showApp({ storage });
    app.models.live.status.value = 'late';
    await settle();
    expect(notice()).toBe('Reconnecting…');
    await app.push({ name: 'sync', data: { session: aSession(), tickets, thread: null } });
    expect(notice()).toBe('');
    app.models.live.status.value = 'late';
    await settle();
    expect(notice()).toMatch(/Last updated/);
    app.models.live.status.value = 'stream';
    await settle();
    expect(notice()).toBe('');
  });
});

describe('new messages', () => {
  const announced = () => screen.getAllByRole('status').map(({ textContent }) => textContent);

  it('are shown in the log without a live region, and announced by one region of each view', async () => {
    app = await showApp({ tickets, calls: { ticket } });
    await press(/My order/);
    const message = aMessage({ id: 'm2', author_type: 'agent', body: 'On its way' });
    await app.push({ name: 'message', data: { ticket_id: 't1', message } });
    const preview = { author_type: 'agent', text: 'On its way' } as const;
    await app.push({ name: 'ticket', data: aTicket({ unread: 3, preview }) });
    const log = screen.getByRole('log');
    expect(log.textContent).toContain('On its way');
    expect(log.getAttribute('aria-live')).toBe('off');
    expect(announced().filter((text) => text?.includes('On its way'))).toEqual(['Support – On its way']);
    await app.push({ name: 'ticket', data: aTicket({ id: 't2', subject: 'Invoice', unread: 1 }) });
    expect(announced().filter((text) => text?.includes('Invoice'))).toEqual(['New reply in Invoice']);
  });

  it('with the same text as before are announced again', async () => {
    app = await showApp({ tickets, calls: { ticket } });
    await press(/My order/);
    const preview = { author_type: 'agent', text: 'Yes' } as const;
    const regionText = () => screen.getByText('Support – Yes');
    await app.push({ name: 'ticket', data: aTicket({ unread: 3, preview }) });
    const first = regionText();
    await app.push({ name: 'ticket', data: aTicket({ unread: 4, preview }) });
    expect(regionText()).not.toBe(first);
  });

  it('show how long ago they came', async () => {
    app = await showApp({ tickets: [aTicket({ updated_at: '2026-11-21T11:58:00Z' })] });
    const shownTime = () =>
      screen.getByRole('list', { name: 'Your tickets' }).querySelector('time')!.textContent;
    expect(shownTime()).toBe('2 minutes ago');
    await app.clock.advance(60_000);
    expect(shownTime()).toBe('3 minutes ago');
  });
});
