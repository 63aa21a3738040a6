import { fireEvent, screen } from '@testing-library/preact';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAccount } from '../account/main.tsx';
import type { Api } from '../api/client.ts';
import type { LoadAccount } from '../state/account.ts';
import { type Load, ScriptGone } from '../state/part.ts';
import { aSession, aTicket, settle } from '../testing/fakes.ts';
import { showApp } from '../testing/screen.tsx';
import type { LaterViews } from './shared.ts';

let app: Awaited<ReturnType<typeof showApp>>;
beforeEach(() => vi.stubGlobal('matchMedia', () => ({ matches: false })));
afterEach(() => {
  app.end();
  vi.unstubAllGlobals();
});

async function press(name: string) {
  fireEvent.click(screen.getByRole('button', { name }));
  await settle();
}

describe('a view whose script is fetched only then', () => {
  it('keeps the focus, says that it could not be loaded, and comes when asked for again', async () => {
    const load = vi.fn<LoadAccount>(async () => Promise.reject(new Error('gone')));
    app = await showApp({ tickets: [aTicket()], loadAccount: load });
    await app.push({ name: 'session', data: { ...aSession(), email_code: true } });
    await press('Find my earlier tickets');
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Find my earlier tickets' }));
    load.mockImplementation(async () => createAccount);
    await press('Try again');
    expect(load.mock.calls).toEqual([[1], [2]]);
    expect(document.activeElement).toBe(screen.getByLabelText('Email'));
  });

  it('says that the page is out of date when its script is gone, and keeps every text over the reload', async () => {
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

  it('shows the form without the views of tickets, and those once they can be had', async () => {
    const none = () => null;
    const views = {
      Offers: none,
      Identifying: none,
      Notice: none,
      Spoken: none,
      Ways: none,
      Start: () => <p>tickets</p>,
      Thread: () => <p>thread</p>,
    };
    const loadLater = vi.fn<Load<LaterViews>>(async () => Promise.reject(new Error('gone')));
    app = await showApp({ loadLater });
    screen.getByRole('button', { name: 'Send' });
    app.end();
    app = await showApp({ tickets: [aTicket()], loadLater });
    screen.getByText('This couldn’t be loaded');
    loadLater.mockImplementation(async () => views);
    await press('Try again');
    expect(screen.queryByText('tickets')).not.toBeNull();
  });

  it('does not pull the customer back who has gone elsewhere meanwhile', async () => {
    let arrive = (_: typeof createAccount) => {};
    const late = new Promise<typeof createAccount>((resolve) => (arrive = resolve));
    const offer = vi.fn<Api['offer']>();
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
