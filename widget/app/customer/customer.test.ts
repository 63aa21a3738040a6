import { describe, expect, it, vi } from 'vitest';
import type { Session } from '../../../shared/contract/session.ts';
import type { Api } from '../api/client.ts';
import { ana, bob, busy, everything, inMemory, ok, secretTicket } from '../testing/customers.ts';
import { aSession, aTicket, fakeModels, newStore, offline, settle } from '../testing/fakes.ts';

describe('signing out', () => {
  it('leaves nothing of the customer, neither read nor written, in memory or storage', async () => {
    const signOut = vi.fn<Api['signOut']>(() => ok(null));
    const dropToken = vi.fn<() => void>();
    const fake = await busy({ calls: { signOut, dropToken } });
    expect(everything(fake)).toMatch(/SECRET.*ana@secret/s);
    await fake.models.customer.signOut();
    await settle();
    expect(everything(fake)).not.toMatch(/secret/i);
    expect(signOut).toHaveBeenCalledOnce();
    expect(dropToken).toHaveBeenCalledOnce();
    expect(fake.models.home.value).toBe('form');
    expect(fake.models.view.current.value).toEqual({ name: 'start' });
    expect(fake.isStreaming()).toBe(false);
    await fake.clock.advance(1_000);
    fake.models.drafts.flush();
    expect(everything(fake)).not.toMatch(/secret/i);
  });

  it('ignores answers that arrive afterwards', async () => {
    const abandon = vi.fn<() => void>();
    const fake = await busy({ calls: { signOut: () => ok(null), abandon } });
    await fake.models.customer.signOut();
    expect(abandon).toHaveBeenCalled();
  });

  it('empties the customer’s other tabs too', async () => {
    const storage = newStore();
    const [here, there] = [
      await busy({ storage, calls: { signOut: () => ok(null) } }),
      await busy({ storage }),
    ];
    await here.models.customer.signOut();
    there.models.onOtherTab();
    await settle();
    expect(inMemory(there)).not.toMatch(/secret/i);
    expect(there.isStreaming()).toBe(false);
    expect(there.askForToken).not.toHaveBeenCalled();
  });

  it('leaves nothing of the customer when the stream ends before the sign-out is answered', async () => {
    let answer = (_: Awaited<ReturnType<Api['signOut']>>) => {};
    const signOut = () => new Promise<Awaited<ReturnType<Api['signOut']>>>((resolve) => (answer = resolve));
    const fake = await busy({ calls: { signOut, session: () => ok(aSession(false)) } });
    const left = fake.models.customer.signOut();
    await settle();
    await fake.push({ name: 'session', data: aSession(false) });
    await settle();
    answer(offline);
    await left;
    expect(everything(fake)).not.toMatch(/secret/i);
    expect(fake.models.customer.task.failure.value).toBeNull();
  });

  it('that cannot reach the BFF changes nothing and shows the failure', async () => {
    const fake = await busy({ calls: { signOut: async () => offline } });
    await fake.models.customer.signOut();
    expect(fake.models.customer.task.failure.value).toMatchObject({ kind: 'network' });
    expect(everything(fake)).toContain('SECRET reply');
    expect(fake.storage.read('used')).toBe(true);
  });
});

describe('a session that ends without a sign-out', () => {
  it('clears what was read, and keeps drafts', async () => {
    const fake = await busy({ session: aSession() });
    await fake.push({ name: 'session', data: aSession(false) });
    const { tickets, newTicket, view, home } = fake.models;
    expect(tickets.list.value).toEqual([]);
    expect(tickets.thread('t1')).toBeUndefined();
    expect(home.value).toBe('form');
    expect(view.current.value.name).toBe('new');
    for (const text of ['SECRET draft', 'SECRET reply', 'SECRET unsent'])
      expect(newTicket.fields.value.description).toContain(text);
    expect(newTicket.failure.value).toBe('unauthenticated');
  });

  it('asks for no token when the site has identified nobody', async () => {
    const fake = await busy();
    await fake.push({ name: 'session', data: aSession(false) });
    expect(fake.askForToken).not.toHaveBeenCalled();
  });
});

describe('a customer whom the site identifies', () => {
  it('gets their session, a new stream and their list', async () => {
    const identify = vi.fn<Api['identify']>(() => ok(ana));
    const fake = fakeModels({ calls: { identify } });
    await settle();
    expect(fake.threads).toEqual([]);
    await fake.models.customer.identity.identify('jwt');
    await settle();
    expect(identify).toHaveBeenCalledWith('jwt');
    expect(fake.threads).toEqual([null]);
    expect(fake.models.session.current.value?.customer?.verified).toBe(true);
  });

  it.each([
    ['on screen', false, 'form'],
    ['closed', true, 'loading'],
  ])(
    'keeps the form that was on screen until the tickets are loaded: the panel is %s',
    async (_, isEmbedded, home) => {
      const fake = fakeModels({ isEmbedded, calls: { identify: () => ok(ana) } });
      await settle();
      await fake.models.customer.identity.identify('jwt');
      expect(fake.models.home.value).toBe(home);
      await fake.push({ name: 'sync', data: { session: ana, tickets: [aTicket()], thread: null } });
      expect(fake.models.home.value).toBe('tickets');
    },
  );

  it('is not replaced by a slower answer about the former session', async () => {
    let answer = (_: Session) => {};
    const session = () =>
      new Promise<never>((resolve) => (answer = (value) => resolve({ ok: true, value } as never)));
    const fake = fakeModels({ calls: { session, identify: () => ok(ana) } });
    await fake.models.customer.identity.identify('jwt');
    answer(aSession(false));
    await settle();
    expect(fake.models.session.current.value?.customer).not.toBeNull();
  });

  it.each([
    ['at once', false],
    ['after the former one’s session had ended', true],
  ])('sees nothing of a former customer: %s', async (_when, hasEnded) => {
    const fake = await busy({ calls: { identify: () => ok(bob) } });
    if (hasEnded) await fake.push({ name: 'session', data: aSession(false) });
    await fake.models.customer.identity.identify('jwt');
    await settle();
    expect(inMemory(fake)).not.toMatch(/secret/i);
    expect(fake.models.newTicket.fields.value.customer_email).toBe('bob@other.example');
    expect(fake.isStreaming()).toBe(true);
  });

  it('keeps what they wrote before they were identified', async () => {
    const fake = fakeModels({ calls: { identify: () => ok(ana) } });
    fake.models.newTicket.set('description', 'Half a sentence');
    fake.models.newTicket.set('customer_email', 'typed@example.com');
    await fake.models.customer.identity.identify('jwt');
    await settle();
    expect(fake.models.newTicket.fields.value).toMatchObject({
      description: 'Half a sentence',
      customer_email: 'ana@secret.example',
    });
  });
});

describe('a first ticket and a sign-in at the same time', () => {
  /** A BFF that answers in the order of the test; `asked` has what it was asked. */
  function slow() {
    const asked: string[] = [];
    const answers: (() => void)[] = [];
    const later =
      <T>(name: string, value: T) =>
      (): Promise<{ ok: true; value: T }> => {
        asked.push(name);
        return new Promise((resolve) => answers.push(() => resolve({ ok: true, value })));
      };
    const fake = fakeModels({
      calls: {
        createTicket: later('ticket', aTicket()),
        identify: later('identify', ana),
      },
    });
    const { outbox, customer } = fake.models;
    return {
      ...fake,
      asked,
      send: () =>
        outbox.addTicket({ subject: 'S', description: 'D', customer_email: 'ana@secret.example' }).key,
      identify: () => void customer.identity.identify('jwt'),
      async answer() {
        answers.shift()!();
        await settle();
      },
    };
  }

  it('never overlap: the token waits for the ticket in flight', async () => {
    const fake = slow();
    fake.send();
    await settle();
    fake.identify();
    await settle();
    expect(fake.asked).toEqual(['ticket']);
    await fake.answer();
    expect(fake.asked).toEqual(['ticket', 'identify']);
    await fake.answer();
    expect(fake.models.session.current.value?.customer?.email).toBe('ana@secret.example');
  });

  it('never overlap: the ticket waits for the tokens in flight', async () => {
    const fake = slow();
    fake.identify();
    fake.send();
    // The later one counts.
    fake.identify();
    await settle();
    expect(fake.asked).toEqual(['identify']);
    await fake.answer();
    expect(fake.asked).toEqual(['identify', 'ticket']);
  });

  it('send nothing of one customer for another', async () => {
    const fake = slow();
    fake.models.session.put(bob);
    fake.identify();
    fake.send();
    await settle();
    await fake.answer();
    expect(fake.asked).toEqual(['identify']);
    expect(fake.models.outbox.sends.value).toEqual([]);
  });

  it.each(['before', 'after'])(
    'do not wait for each other when the ticket needs the token: %s',
    async (when) => {
      const askForToken = vi.fn<() => void>();
      const asked: string[] = [];
      const fake = fakeModels({
        askForToken,
        calls: {
          identify: async (token) => {
            asked.push(token);
            return ok(ana);
          },
          async createTicket() {
            if (when === 'before') identify('meanwhile');
            await settle();
            expect(await fake.models.customer.identity.renew()).toBe(true);
            asked.push('ticket');
            return ok(aTicket());
          },
        },
      });
      const identify = (token: string) => void fake.models.customer.identity.identify(token);
      identify('first');
      await settle();
      askForToken.mockImplementation(() => identify('fresh'));
      fake.models.outbox.addTicket({ subject: 'S', description: 'D', customer_email: 'ana@secret.example' });
      for (let turn = 0; turn < 3; turn += 1) await settle();
      expect(asked).toEqual(['first', 'fresh', 'ticket']);
    },
  );
});

describe('the renewal of a session', () => {
  async function identified(calls: Partial<Api> = {}) {
    const fake = await busy({ calls: { identify: () => ok(ana), ...calls } });
    await fake.models.customer.identity.identify('first');
    const session = ana;
    await fake.push({ name: 'sync', data: { session, tickets: [secretTicket], thread: null } });
    return fake;
  }

  it('asks the site once for a token, and repeats the requests', async () => {
    const fake = await identified();
    const before = inMemory(fake);
    await fake.push({ name: 'session', data: aSession(false) });
    const { identity } = fake.models.customer;
    const also = identity.renew();
    expect(fake.askForToken).toHaveBeenCalledOnce();
    expect(inMemory(fake)).toBe(before);
    await identity.identify('second');
    await settle();
    expect(await also).toBe(true);
    expect(inMemory(fake)).toBe(before);
    expect(fake.isStreaming()).toBe(true);
  });

  it('without an answer of the site ends the session after ten seconds', async () => {
    const fake = await identified();
    await fake.push({ name: 'session', data: aSession(false) });
    await fake.clock.advance(9_000);
    expect(fake.models.tickets.list.value).toHaveLength(1);
    await fake.clock.advance(2_000);
    expect(fake.models.tickets.list.value).toEqual([]);
  });

  it('is attempted at most once in thirty seconds', async () => {
    const fake = await identified();
    const { identity } = fake.models.customer;
    const first = identity.renew();
    await identity.identify('second');
    expect(await first).toBe(true);
    expect(await identity.renew()).toBe(false);
    await fake.clock.advance(31_000);
    void identity.renew();
    expect(fake.askForToken).toHaveBeenCalledTimes(2);
  });

  it('does not repeat one customer’s requests for another', async () => {
    const fake = await identified({ identify: () => ok(ana) });
    const renewed = fake.models.customer.identity.renew();
    fake.api.identify = () => ok(bob);
    await fake.models.customer.identity.identify('second');
    expect(await renewed).toBe(false);
  });

  it('never happens after the customer has signed out', async () => {
    const fake = await identified({ signOut: () => ok(null) });
    await fake.models.customer.signOut();
    expect(await fake.models.customer.identity.renew()).toBe(false);
    expect(fake.askForToken).not.toHaveBeenCalled();
  });

  it('never happens after a sign-out in another tab, which the stream tells before the storage does [identity-64]', async () => {
    const fake = await identified();
    await fake.push({ name: 'session', data: { ...aSession(false), signed_out: true } });
    expect(fake.askForToken).not.toHaveBeenCalled();
    expect(inMemory(fake)).not.toMatch(/secret/i);
    expect(fake.isStreaming()).toBe(false);
  });

  it('is given up when another tab signs out before the token has come [identity-65]', async () => {
    const identify = vi.fn<Api['identify']>(() => ok(ana));
    const fake = await identified({ identify });
    await fake.push({ name: 'session', data: aSession(false) });
    expect(fake.askForToken).toHaveBeenCalledOnce();
    fake.storage.write('used', false);
    fake.models.onOtherTab();
    identify.mockClear();
    const { identity } = fake.models.customer;
    await identity.identify('second');
    expect(identify).not.toHaveBeenCalled();
    expect(inMemory(fake)).not.toMatch(/secret/i);
    identity.expect();
    await identity.identify('third');
    expect(identify).toHaveBeenCalledExactlyOnceWith('third');
  });
});
