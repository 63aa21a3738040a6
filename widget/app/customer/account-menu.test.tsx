import { fireEvent, screen, within } from '@testing-library/preact';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Session } from '../../../shared/contract/session.ts';
import { type AnyApi, aMessage, aSession, aThread, aTicket, http, settle } from '../testing/fakes.ts';
import { ok, verified, withCodes } from '../testing/customers.ts';
import { choose, menuItem, prepareScreen, showApp } from '../testing/screen.tsx';

let app: Awaited<ReturnType<typeof showApp>>;
prepareScreen();
afterEach(() => {
  document.documentElement.lang = '';
  sessionStorage.clear();
});

const button = (name: string) => screen.queryByRole('button', { name });
const type = (label: string, value: string) =>
  fireEvent.input(screen.getByLabelText(label), { target: { value } });
async function press(name: string | RegExp) {
  fireEvent.click(screen.getByRole('button', { name }));
  await settle();
}
const known =
  (session: Session, calls: Partial<AnyApi> = {}) =>
  async () => {
    app = await showApp({ tickets: [aTicket()], session, calls });
  };

describe('the menu of the start', () => {
  it('has the actions that this customer can use', async () => {
    app = await showApp();
    for (const name of ['Find my earlier tickets', 'Continue on another device', 'Sign out'])
      expect(menuItem(name)).toBeNull();
    app.end();
    app = await showApp({ calls: { session: () => ok(withCodes) } });
    expect(menuItem('Find my earlier tickets')).not.toBeNull();
    expect(menuItem('Sign out')).toBeNull();
    app.end();
    await known(verified())();
    expect(menuItem('Find my earlier tickets')).toBeNull();
    expect(menuItem('Continue on another device')).not.toBeNull();
    expect(menuItem('Sign out')).not.toBeNull();
    expect(menuItem('Forget me on this device')).toBeNull();
  });

  it('signs the customer out, and leaves nothing on the page that was shown or written', async () => {
    const secret = aTicket({ subject: 'SECRET subject' });
    app = await showApp({
      tickets: [secret],
      calls: { signOut: () => ok(null), ticket: () => ok(aThread([aMessage({ body: 'SECRET body' })])) },
    });
    await press(/SECRET/);
    expect(document.body.textContent).toContain('SECRET body');
    await press('Back to your tickets');
    await press('New ticket');
    type('Message', 'SECRET draft');
    await press('Back to your tickets');
    await app.push({ name: 'session', data: verified() });
    await choose('Sign out');
    expect(document.body.innerHTML).not.toMatch(/SECRET|ana@/);
    expect(screen.getByLabelText<HTMLTextAreaElement>('Message').value).toBe('');
    expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('');
    screen.getByText('You’re signed out.');
  });
});

describe('a customer who cannot come back', () => {
  const hint = 'You won’t be able to open your tickets here anymore.';
  const name = 'Forget me on this device';
  const start = async () => {
    const signOut = vi.fn<AnyApi['signOut']>(() => ok(null));
    await known(aSession(), { signOut })();
    expect(button('Sign out')).toBeNull();
    await choose(name);
    return signOut;
  };

  const confirm = async () => {
    fireEvent.click(within(screen.getByText(hint).closest('section')!).getByRole('button', { name }));
    await settle();
  };

  it('is told what leaving means, and is forgotten when that is confirmed', async () => {
    const signOut = await start();
    screen.getByText(hint);
    expect(signOut).not.toHaveBeenCalled();
    await confirm();
    expect(signOut).toHaveBeenCalledOnce();
    expect(button(name)).toBeNull();
    expect(screen.queryByText(hint)).toBeNull();
  });

  it('is told that it was done, by an announcement too, and keeps the focus in the panel', async () => {
    await start();
    await confirm();
    const said = screen.getByText('Everything about you was removed from this device.');
    expect(said.closest('output')).not.toBeNull();
    expect(document.activeElement).not.toBe(document.body);
    app.models.view.go({ name: 'new' });
    await settle();
    expect(screen.queryByText('Everything about you was removed from this device.')).toBeNull();
  });

  it('has the focus at the question, and can go back', async () => {
    const signOut = await start();
    expect(document.activeElement).toBe(screen.getByText(hint).closest('section'));
    await press('Back');
    expect(screen.queryByText(hint)).toBeNull();
    expect(document.activeElement).not.toBe(document.body);
    expect(signOut).not.toHaveBeenCalled();
  });

  it('is asked again after visiting another view', async () => {
    await start();
    await press('New ticket');
    await press('Back to your tickets');
    expect(screen.queryByText(hint)).toBeNull();
  });
});

describe('conversations opened with the customer’s address elsewhere', () => {
  it('are offered with an explanation, and taken over on request', async () => {
    const claim = vi.fn<AnyApi['claim']>(() => ok(verified()));
    await known(verified({ claimable: 2 }), { claim })();
    screen.getByText('2 conversations were started with your email on another device.');
    screen.getByText('They’ll no longer open on the other device.');
    await press(/Open here/);
    expect(claim).toHaveBeenCalledOnce();
    expect(screen.queryByText(/were started with your email/)).toBeNull();
  });

  it('open at once if there is only one', async () => {
    const claimed = aTicket({ id: 't2', subject: 'From the laptop' });
    await known(verified({ claimable: 1 }), {
      claim: () => ok(verified()),
      tickets: () => ok([aTicket(), claimed]),
    })();
    await press(/Open here/);
    expect(app.models.view.current.value).toEqual({ name: 'thread', ref: 't2' });
  });
});

it('a customer without tickets sees conversations to take over, and no form', async () => {
  app = await showApp({ tickets: [], session: verified({ claimable: 1 }) });
  const list = within(screen.getByRole('list', { name: 'Your tickets' }));
  list.getByRole('button', { name: /^1 conversation was started with your email.*Open here$/ });
  expect(screen.queryByRole('textbox')).toBeNull();
  expect(document.querySelectorAll('.button:not(.quiet)')).toHaveLength(1);
});

describe('another device', () => {
  const offer = {
    state: 'offered' as const,
    number: null,
    expires_at: '',
    url: 'https://x.example/#handoff=s',
    qr: ['10', '01'],
  };

  it('is shown a code and a link, and let in when the numbers agree', async () => {
    const confirm = vi.fn<AnyApi['confirm']>(() => ok(null));
    await known(aSession(), {
      confirm,
      offer: () => ok(offer),
      offered: () => ok({ state: 'asked' as const, number: '42', expires_at: '' }),
    })();
    await choose('Continue on another device');
    screen.getByText('Another device wants to open your tickets. Does it show 42?');
    await press('Yes, open my tickets there');
    expect(confirm).toHaveBeenCalledOnce();
    screen.getByText('Your tickets are now open on your other device.');
  });

  it('can be given the link, whose code has one dark square for each 1', async () => {
    await known(aSession(), { offer: () => ok(offer) })();
    await choose('Continue on another device');
    expect(screen.getByLabelText<HTMLInputElement>('Link').value).toBe(offer.url);
    expect(document.querySelector('.qr path')!.getAttribute('d')).toBe('M0 0h1v1h-1M1 1h1v1h-1');
    const copy = vi.fn<(command: string) => boolean>(() => true);
    document.execCommand = copy;
    await press('Copy link');
    expect(copy).toHaveBeenCalledWith('copy');
    screen.getByRole('button', { name: 'Copied' });
  });

  it('that has tickets of its own shows that, and requests none', async () => {
    const redeem = vi.fn<AnyApi['redeem']>();
    await known(aSession(), { redeem })();
    app.models.view.go({ name: 'handoff', secret: 's3cret' });
    await settle();
    screen.getByText('Someone is signed in here. Sign out first, then open the link again.');
    expect(button('Open my tickets')).toBeNull();
    // Its customer could not come back: one press must not be enough to lose the tickets.
    expect(button('Sign out')).toBeNull();
    expect(redeem).not.toHaveBeenCalled();
  });

  it('requests the tickets when the customer agrees, and shows the number', async () => {
    app = await showApp({ calls: { redeem: () => ok({ state: 'asked', number: '42' }) } });
    app.models.view.go({ name: 'handoff', secret: 's3cret' });
    await settle();
    screen.getByRole('heading', { name: 'Open your tickets on this device?' });
    await press('Open my tickets');
    expect(document.body.textContent).toContain('This device shows 42');
  });
});

describe('the form', () => {
  it('shows a proven address read-only', async () => {
    await known(verified())();
    await press('New ticket');
    const email = screen.getByLabelText<HTMLInputElement>('Email');
    expect(email.value).toBe('ana@example.com');
    expect(email.readOnly).toBe(true);
    expect(screen.getByLabelText<HTMLInputElement>('Subject').readOnly).toBe(false);
  });

  it.each([
    ['', undefined],
    ['https://spam.example', 'https://spam.example'],
  ])(
    'has a hidden field that nobody can reach, and sends its value with the ticket: %j',
    async (text, sent) => {
      const createTicket = vi.fn<AnyApi['createTicket']>(() => ok(aTicket()));
      app = await showApp({ calls: { createTicket } });
      const trap = document.querySelector<HTMLInputElement>('input[name=website]')!;
      expect(trap.tabIndex).toBe(-1);
      expect(trap.getAttribute('aria-hidden')).toBe('true');
      type('Email', 'ana@example.com');
      type('Subject', 'My order');
      type('Message', 'Where is it?');
      trap.value = text;
      await press('Send');
      expect(createTicket.mock.calls[0]![1].website).toBe(sent);
    },
  );
});

describe('a conversation', () => {
  const hidden = () => ok(aThread([aMessage({ hidden: true, body: '' })]));

  it.each([
    [true, 'Find my earlier tickets'],
    [false, null],
  ])('shows the way to a hidden message where there is one: %s', async (email_code, heading) => {
    await known({ ...aSession(), email_code }, { ticket: hidden })();
    await press(/My order/);
    screen.getByText('Verify your email to see another reply');
    expect(button('Verify email') !== null).toBe(email_code);
    if (heading) await press('Verify email');
    if (heading) screen.getByRole('heading', { name: heading });
  });

  it('says how long a message has to wait after too many', async () => {
    await known(aSession(), {
      ticket: () => ok(aThread()),
      reply: async () => http('rate_limited', { retryable: true, retryAfterSec: 12 * 60 }),
    })();
    // The screen counts by the real clock, the outbox by the test's.
    vi.spyOn(Date, 'now').mockImplementation(app.clock.now);
    await press(/My order/);
    type('Write a reply', 'One more');
    await press('Send reply');
    expect(screen.getByRole('log').textContent).toContain('You can send again in 12 minutes');
    await app.clock.advance(8 * 60_000);
    await app.clock.advance(1);
    expect(screen.getByRole('log').textContent).toContain('You can send again in 4 minutes');
    expect(screen.getByRole('log').textContent).toContain('One more');
    vi.restoreAllMocks();
  });
});
