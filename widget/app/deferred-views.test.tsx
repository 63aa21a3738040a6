import { fireEvent, screen } from '@testing-library/preact';
import { describe, expect, it, vi } from 'vitest';
import { createAccount } from './account/account.tsx';
import type { Api } from './api/client.ts';
import type { LoadAccount } from './customer/account.ts';
import { ScriptGone } from './browser/deferred.ts';
import { type AnyApi, aSession, aThread, aTicket, settle } from './testing/fakes.ts';
import { prepareScreen, showApp } from './testing/screen.tsx';
import { knownViews } from './known.ts';
import type { DeferredViews, KnownViews } from './shared.ts';

let app: Awaited<ReturnType<typeof showApp>>;
prepareScreen();

async function press(name: string) {
  fireEvent.click(screen.getByRole('button', { name }));
  await settle();
}

describe('a view whose script is loaded on demand', () => {
  it('keeps the focus, shows that loading failed, and opens at a retry', async () => {
    const load = vi.fn<LoadAccount>(async () => Promise.reject(new Error('gone')));
    app = await showApp({ tickets: [aTicket()], loadAccount: load });
    await app.push({ name: 'session', data: { ...aSession(), email_code: true } });
    await press('Find my earlier tickets');
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Find my earlier tickets' }));
    load.mockImplementation(async () => createAccount);
    await press('Try again');
    expect(load).toHaveBeenCalledTimes(2);
    expect(document.activeElement).toBe(screen.getByLabelText('Email'));
  });

  it('says that the page is out of date when its script is gone, and keeps drafts over the reload', async () => {
    const load = vi.fn<LoadAccount>(async () => Promise.reject(new ScriptGone()));
    app = await showApp({ tickets: [aTicket()], loadAccount: load });
    await press('New ticket');
    fireEvent.input(screen.getByLabelText('Message'), { target: { value: 'The lid is chipped.' } });
    await press('Back to your tickets');
    await press('Continue on another device');
    screen.getByText('This page is out of date.');
    expect(screen.queryByText('Try again')).toBeNull();
    await press('Reload');
    expect(app.reloads).toEqual([[expect.objectContaining({ description: 'The lid is chipped.' })]]);
  });

  it('shows the form until the views of tickets can be loaded', async () => {
    const none = () => null;
    const views = {
      Notice: none,
      LiveAnnouncer: none,
      Thread: () => <p>thread</p>,
    };
    const loadViews = vi.fn<() => Promise<Omit<DeferredViews, 'app' | 'arrive'>>>(async () =>
      Promise.reject(new Error('gone')),
    );
    app = await showApp({ loadViews });
    screen.getByRole('button', { name: 'Send' });
    app.end();
    app = await showApp({ tickets: [aTicket()], loadViews });
    screen.getByText('This couldn’t be loaded');
    loadViews.mockImplementation(async () => views);
    await press('Try again');
    expect(screen.getByRole('list', { name: 'Your tickets' })).toBeDefined();
  });

  it('shows a conversation while the script of the list cannot be loaded, and the list at a retry', async () => {
    const loadKnown = vi.fn<() => Promise<Omit<KnownViews, 'app' | 'arrive'>>>(async () =>
      Promise.reject(new Error('gone')),
    );
    const ticket = vi.fn<Api['ticket']>(async () => ({ ok: true, value: aThread() }));
    app = await showApp({ tickets: [aTicket()], calls: { ticket }, loadKnown });
    app.support.view.go({ name: 'thread', ref: 't1' });
    await settle();
    screen.getByText('Where is my order?');
    await press('Back to your tickets');
    screen.getByText('This couldn’t be loaded');
    loadKnown.mockImplementation(async () => ({ ...knownViews, arrive: () => {} }));
    await press('Try again');
    expect(screen.getByRole('list', { name: 'Your tickets' })).toBeDefined();
  });

  it('does not move the focus of a customer who has gone to another view meanwhile', async () => {
    let arrive = (_: typeof createAccount) => {};
    const late = new Promise<typeof createAccount>((resolve) => (arrive = resolve));
    const offer = vi.fn<AnyApi['offer']>();
    app = await showApp({ tickets: [aTicket()], calls: { offer }, loadAccount: () => late });
    await press('Continue on another device');
    await press('Back');
    await press('New ticket');
    const email = screen.getByLabelText('Email');
    email.focus();
    arrive(createAccount);
    await settle();
    expect(document.activeElement).toBe(email);
    expect(offer).not.toHaveBeenCalled();
  });
});
