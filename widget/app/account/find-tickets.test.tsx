import { fireEvent, screen } from '@testing-library/preact';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type AnyApi, aSession, aThread, aTicket, http, settle } from '../testing/fakes.ts';
import { ok, verified, withCodes } from '../testing/customers.ts';
import { choose, prepareScreen, showApp } from '../testing/screen.tsx';

let app: Awaited<ReturnType<typeof showApp>>;
prepareScreen();
afterEach(() => {
  document.documentElement.lang = '';
  sessionStorage.clear();
});

const type = (label: string, value: string) =>
  fireEvent.input(screen.getByLabelText(label), { target: { value } });
async function press(name: string | RegExp) {
  fireEvent.click(screen.getByRole('button', { name }));
  await settle();
}

describe('earlier tickets', () => {
  async function ask(calls: Partial<AnyApi> = {}) {
    app = await showApp({
      calls: { session: () => ok(withCodes), requestCode: () => ok({ sent: true }), ...calls },
    });
    await choose('Find my earlier tickets');
    type('Email', '<ana＠example.com>');
    await press('Send me a code');
  }

  it('are shown after the code from the e-mail was entered', async () => {
    const verifyCode = vi.fn<AnyApi['verifyCode']>(() => ok(verified()));
    await ask({ verifyCode });
    const code = screen.getByLabelText('Code');
    expect(document.activeElement).toBe(code);
    expect(code.getAttribute('autocomplete')).toBe('one-time-code');
    expect(code.getAttribute('inputmode')).toBe('numeric');
    type('Code', '۱۲۳-۴۵');
    expect(verifyCode).not.toHaveBeenCalled();
    type('Code', '۱۲۳-۴۵۶ ');
    await settle();
    expect(verifyCode).toHaveBeenCalledOnce();
    expect(verifyCode).toHaveBeenCalledWith('123456');
    await app.push({ name: 'sync', data: { session: verified(), tickets: [aTicket()], thread: null } });
    screen.getByRole('list', { name: 'Tickets found: 1' });
  });

  it('are listed apart from those that were here before, until the customer goes on to the form', async () => {
    const mine = aTicket({ id: 't0', key: 'k0', subject: 'Here before' });
    app = await showApp({
      tickets: [mine],
      session: { ...aSession(), email_code: true },
      calls: { requestCode: () => ok({ sent: true }), verifyCode: () => ok(verified()) },
    });
    await choose('Find my earlier tickets');
    await press('Send me a code');
    type('Code', '123456');
    await settle();
    const tickets = [mine, aTicket()];
    await app.push({ name: 'sync', data: { session: verified(), tickets, thread: null } });
    const listOf = (name: string) => screen.queryByRole('list', { name })?.textContent;
    expect(listOf('Tickets found: 1')).toContain('My order');
    expect(listOf('Your tickets')).toContain('Here before');
    await press('New ticket');
    await press('Back to your tickets');
    expect(screen.getAllByRole('list')).toHaveLength(1);
  });

  describe('of which the code finds none', () => {
    const none = 'We found no earlier tickets under this address.';
    const sync = (tickets: ReturnType<typeof aTicket>[], session = verified()) =>
      app.push({ name: 'sync', data: { session, tickets, thread: null } });
    async function prove(own: ReturnType<typeof aTicket>[]) {
      app = await showApp({
        ...(own.length > 0 && { tickets: own }),
        session: { ...aSession(), email_code: true },
        calls: {
          session: () => ok(withCodes),
          requestCode: () => ok({ sent: true }),
          verifyCode: () => ok(verified()),
        },
      });
      await choose('Find my earlier tickets');
      type('Email', 'ana@example.com');
      await press('Send me a code');
      type('Code', '123456');
      await settle();
    }
    const mine = aTicket({ id: 't0', key: 'k0', subject: 'Here before' });

    it.each([[[]], [[mine]]])(
      'are said to be missing once the list of %j has come, and not again',
      async (own) => {
        await prove(own);
        expect(screen.queryByText(none)).toBeNull();
        await sync(own);
        screen.getByText(none);
        await press(/New ticket|Find my earlier|Send$/);
        app.models.view.go({ name: 'start' });
        await sync(own);
        expect(screen.queryByText(none)).toBeNull();
      },
    );

    it('are said to be missing until they come after all', async () => {
      await prove([mine]);
      await sync([mine]);
      await sync([mine, aTicket()]);
      expect(screen.queryByText(none)).toBeNull();
      screen.getByRole('list', { name: 'Tickets found: 1' });
    });

    it('are not said to be missing where some can be claimed', async () => {
      await prove([]);
      await sync([], verified({ claimable: 1 }));
      expect(screen.queryByText(none)).toBeNull();
    });
  });

  const linked = async (calls: Partial<AnyApi> = {}, session = withCodes, ref = 't1') => {
    app = await showApp({
      calls: {
        session: () => ok(session),
        requestCode: () => ok({ sent: true }),
        verifyCode: () => ok(verified()),
        ticket: async () => http('not_found'),
        ...calls,
      },
    });
    app.models.view.go({ name: 'thread', ref });
    await app.models.refresh();
    await settle();
  };

  it('are found by a link, which asks for the address in place of the ticket, and leads there after the code', async () => {
    let isKnown = false;
    await linked({ ticket: async () => (isKnown ? ok(aThread()) : http('not_found')) });
    screen.getByText(/Enter the email address you wrote with\./);
    expect(document.activeElement).toBe(screen.getByLabelText('Email'));
    type('Email', 'ana@example.com');
    await press('Send me a code');
    type('Code', '123456');
    isKnown = true;
    await settle();
    expect(app.models.view.current.value).toEqual({ name: 'thread', ref: 't1' });
    screen.getByRole('log', { name: 'Conversation' });
  });

  it('are not told apart from tickets that do not exist: a foreign, an unknown and a malformed id show the same', async () => {
    const screens = new Set<string>();
    for (const [ref, code] of [
      ['t1', 'not_found'],
      ['nothing', 'unauthenticated'],
      ['../session', 'not_found'],
    ] as const) {
      await linked({ ticket: async () => http(code) }, withCodes, ref);
      screen.getByLabelText('Email');
      screens.add(document.body.innerHTML);
      app.end();
    }
    expect(screens.size).toBe(1);
  });

  it('that no link opens for a proven address are said to be elsewhere, and another address can be entered', async () => {
    await linked({}, verified());
    screen.getByText('This conversation isn’t available here');
    await press('Find my earlier tickets');
    expect(app.models.view.current.value).toEqual({ name: 'find', next: 't1' });
  });

  it('that no mail can find are said to open on the device where they were written', async () => {
    await linked({}, { ...withCodes, email_code: false });
    screen.getByText('Open it on the device where you wrote to us, or start a new ticket.');
    await press('New ticket');
    expect(app.models.view.current.value).toEqual({ name: 'new' });
  });

  it('opened elsewhere are offered in place of the linked one, and it opens once they are claimed', async () => {
    let isMine = false;
    const claim = vi.fn<AnyApi['claim']>(() => {
      isMine = true;
      return ok(verified());
    });
    await linked(
      {
        claim,
        tickets: () => ok([aTicket()]),
        ticket: async () => (isMine ? ok(aThread()) : http('not_found')),
      },
      verified({ claimable: 1 }),
    );
    await press('Open here');
    screen.getByRole('log', { name: 'Conversation' });
    expect(claim).toHaveBeenCalledOnce();
  });

  it('wait for the code after a reload, which a phone may do during a look at the mail', async () => {
    await linked();
    type('Email', 'ana@example.com');
    await press('Send me a code');
    app.end();
    await linked();
    screen.getByText('We sent a code to ana@example.com. It expires in 10 minutes.');
    await press('Back');
    screen.getByLabelText('Email');
    app.end();
    await linked();
    screen.getByLabelText('Email');
    expect(document.body.textContent).not.toContain('ana@example.com');
  });

  it.each([
    ['a wrong one', http('invalid_request', { fields: { code: 'invalid' } })],
    ['one whose session has ended', http('unauthenticated')],
  ])('are not shown for %s: the field says so, and a new code can be requested', async (_what, refusal) => {
    document.documentElement.lang = 'de';
    const requestCode = vi.fn<AnyApi['requestCode']>(() => ok({ sent: true }));
    await ask({ requestCode, verifyCode: async () => refusal });
    type('Code', '000000');
    await settle();
    const code = screen.getByLabelText<HTMLInputElement>('Code');
    expect(code.getAttribute('aria-invalid')).toBe('true');
    expect(code.value).toBe('');
    screen.getByText('This code is wrong or has expired');
    expect(document.body.textContent).not.toContain('This conversation');
    await press('Send a new code');
    const request = { email: 'ana@example.com', language: 'de' };
    expect(requestCode.mock.calls).toEqual([[request], [request]]);
    expect(code.getAttribute('aria-invalid')).toBe('false');
  });

  it('are shown after a code was pasted beside its field, and another text is left alone', async () => {
    const verifyCode = vi.fn<AnyApi['verifyCode']>(() => ok(verified()));
    await ask({ verifyCode });
    const paste = (text: string) => {
      const getData = () => text;
      fireEvent(
        document.body,
        Object.assign(new Event('paste', { bubbles: true }), { clipboardData: { getData } }),
      );
    };
    paste('Order 4711');
    expect(screen.getByLabelText<HTMLInputElement>('Code').value).toBe('');
    paste('Your code: 123 456');
    await settle();
    expect(verifyCode).toHaveBeenCalledWith('123456');
  });

  it('need a valid address', async () => {
    await ask({ requestCode: async () => http('invalid_request', { fields: { email: 'invalid' } }) });
    expect(screen.getByLabelText('Email').getAttribute('aria-invalid')).toBe('true');
  });

  it('have a limit of requests, and the form says how long it lasts', async () => {
    await ask({ requestCode: async () => http('rate_limited', { retryAfterSec: 700 }) });
    expect(document.body.textContent).toContain('You can send again in 12 minutes');
    expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('<ana＠example.com>');
  });

  it('are looked for under the address that was probably meant, at one press', async () => {
    app = await showApp({ calls: { session: () => ok(withCodes) } });
    await choose('Find my earlier tickets');
    type('Email', 'ana@hotmial.com');
    fireEvent.change(screen.getByLabelText('Email'));
    await settle();
    await press('Did you mean hotmail.com?');
    expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('ana@hotmail.com');
  });
});
