import { fireEvent, screen } from '@testing-library/preact';
import { describe, expect, it, vi } from 'vitest';
import { createAccount } from './account/account.tsx';
import type { Api } from './api/client.ts';
import { ScriptGone } from './browser/deferred.ts';
import { type AnyApi, aSession, aThread, aTicket, settle } from './testing/fakes.ts';
import { choose, prepareScreen, showApp } from './testing/screen.tsx';
import type { ConversationViews, ReturningViews } from './app.ts';
import { createReturning } from './returning.ts';
import { conversationViews } from './conversation.ts';

let app: Awaited<ReturnType<typeof showApp>>;
prepareScreen();

async function press(name: string | RegExp) {
  fireEvent.click(screen.getByRole('button', { name }));
  await settle();
}

describe('a view whose script is loaded on demand', () => {
  it('keeps the focus, shows that loading failed, and opens at a retry', async () => {
    const load = vi.fn<() => Promise<typeof createAccount>>(async () => Promise.reject(new Error('gone')));
    app = await showApp({ tickets: [aTicket()], loadAccount: load });
    await app.push({ name: 'session', data: { ...aSession(), email_code: true } });
    await choose('Find my earlier tickets');
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Find my earlier tickets' }));
    load.mockImplementation(async () => createAccount);
    await press('Try again');
    expect(load).toHaveBeenCalledTimes(2);
    expect(document.activeElement).toBe(screen.getByLabelText('Email'));
  });

  it('says that the page is out of date when its script is gone, and keeps drafts over the reload', async () => {
    const load = vi.fn<() => Promise<typeof createAccount>>(async () => Promise.reject(new ScriptGone()));
    app = await showApp({ tickets: [aTicket()], loadAccount: load });
    await press('New ticket');
    fireEvent.input(screen.getByLabelText('Message'), { target: { value: 'The lid is chipped.' } });
    await press('Back to your tickets');
    await choose('Continue on another device');
    screen.getByText('This page is out of date.');
    expect(screen.queryByText('Try again')).toBeNull();
    await press('Reload');
    expect(app.reloads).toEqual([[expect.objectContaining({ description: 'The lid is chipped.' })]]);
  });

  it('shows a conversation once its script is loaded, and the form without it', async () => {
    const loadConversation = vi.fn<() => Promise<ConversationViews>>(async () =>
      Promise.reject(new Error('gone')),
    );
    const ticket = vi.fn<Api['ticket']>(async () => ({ ok: true, value: aThread() }));
    app = await showApp({ loadConversation });
    screen.getByRole('button', { name: 'Send' });
    app.end();
    app = await showApp({ tickets: [aTicket()], calls: { ticket }, loadConversation });
    await press(/My order/);
    screen.getByText('This couldn’t be loaded');
    loadConversation.mockImplementation(async () => conversationViews);
    await press('Try again');
    expect(screen.getByText('Where is my order?')).toBeDefined();
  });

  it('shows a conversation while the script of the list cannot be loaded, and the list at a retry', async () => {
    const loadReturning = vi.fn<() => Promise<ReturningViews>>(async () => Promise.reject(new Error('gone')));
    const ticket = vi.fn<Api['ticket']>(async () => ({ ok: true, value: aThread() }));
    app = await showApp({ tickets: [aTicket()], calls: { ticket }, loadReturning });
    app.models.view.go({ name: 'thread', ref: 't1' });
    await settle();
    screen.getByText('Where is my order?');
    await press('Back to your tickets');
    screen.getByText('This couldn’t be loaded');
    loadReturning.mockImplementation(async () => createReturning(null!, null));
    await press('Try again');
    expect(screen.getByRole('list', { name: 'Your tickets' })).toBeDefined();
  });

  it('does not move the focus of a customer who has gone to another view meanwhile', async () => {
    let arrive = (_: typeof createAccount) => {};
    const late = new Promise<typeof createAccount>((resolve) => (arrive = resolve));
    const offer = vi.fn<AnyApi['offer']>();
    app = await showApp({ tickets: [aTicket()], calls: { offer }, loadAccount: () => late });
    await choose('Continue on another device');
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
