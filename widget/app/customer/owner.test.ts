import { effect } from '@preact/signals';
import { describe, expect, it, vi } from 'vitest';
import type { Session } from '../../../shared/contract/session.ts';
import type { Api } from '../api/client.ts';
import { ana, bob, busy, everything, inMemory, ok, stored } from '../testing/customers.ts';
import { aSession, fakeModels, http, newStore, offline, settle } from '../testing/fakes.ts';

/** Two customers, one after the other, at one browser. */

const nobody = aSession(false);
const ended = () => ok(nobody);
const anasOwner = ana.customer!.owner!;
const failed = { name: 'error', detail: { code: 'identify_failed' } };

/** A BFF that accepts each token once, and the cookie that frames and tabs share. */
function onceOnly() {
  const used = new Set<string>();
  let now = nobody;
  let last = Promise.resolve();
  const signOut = vi.fn<Api['signOut']>(() => {
    now = nobody;
    return ok(null);
  });
  const identify: Api['identify'] = async (token) => {
    if (used.has(token)) return http('unauthenticated');
    used.add(token);
    now = ana;
    return ok(ana);
  };
  return {
    signOut,
    signInAs: (session: Session) => (now = session),
    calls: { identify, signOut, session: () => ok(now) },
    lock: (run: () => Promise<void>) => (last = last.then(run)),
  };
}

/** What the customer and the host page can see of the previous customer. */
const seen = ({ models }: Awaited<ReturnType<typeof busy>>) => ({
  isWaiting: models.session.isWaiting.value,
  unread: models.unread.value,
  thread: models.viewedId.value,
});

describe('while the page identifies its customer,', () => {
  it('nothing of a signed-in customer is shown, followed or sent until a token was exchanged [identity-10]', async () => {
    const reply = vi.fn<Api['reply']>(async () => offline);
    const fake = await busy({ calls: { reply, identify: () => ok(ana) } });
    reply.mockClear();
    expect(seen(fake)).toEqual({ isWaiting: false, unread: 1, thread: 't1' });
    fake.models.customer.identity.expect();
    await settle();
    expect(seen(fake)).toEqual({ isWaiting: true, unread: 0, thread: null });
    expect(fake.isStreaming()).toBe(false);
    fake.models.outbox.wake();
    await settle();
    expect(reply).not.toHaveBeenCalled();
    await fake.models.customer.identity.identify('jwt');
    await settle();
    expect(seen(fake)).toMatchObject({ isWaiting: false, thread: 't1' });
    expect(fake.models.drafts.reply('t1').value).toBe('SECRET reply');
    expect(fake.isStreaming()).toBe(true);
    expect(reply).toHaveBeenCalledOnce();
  });

  it.each([
    ['a signed-in customer was here last', { used: true, owner: anasOwner }, true],
    ['it is not known who was here', { used: true }, true],
    ['an anonymous customer was here last', { used: true, owner: false }, false],
    ['nobody was here', {}, false],
  ])('a new page decides before its first paint whether to wait: %s', async (_who, kept, isWaiting) => {
    const storage = newStore();
    for (const [name, value] of Object.entries(kept)) storage.write(name, value);
    const session = () => new Promise<never>(() => {});
    const { models } = fakeModels({ storage, isExpected: true, calls: { session } });
    expect(models.session.isWaiting.value).toBe(isWaiting);
  });

  it('a browser whose storage was cleared waits as soon as the BFF has named a signed-in customer', async () => {
    const { models } = fakeModels({ isExpected: true, calls: { session: () => ok(ana) } });
    await settle();
    expect(models.session.isWaiting.value).toBe(true);
    expect(models.newTicket.fields.value.customer_email).toBe('');
  });

  it('an anonymous customer can read and write, and their sends wait until the owner is known', async () => {
    const createTicket = vi.fn<Api['createTicket']>(async () => offline);
    const fake = fakeModels({ isExpected: true, calls: { createTicket, identify: () => ok(ana) } });
    await settle();
    expect(fake.models.home.value).toBe('form');
    fake.models.outbox.addTicket({ subject: 'S', description: 'D', customer_email: 'Ana@Secret.example' });
    await settle();
    expect(createTicket).not.toHaveBeenCalled();
    await fake.models.customer.identity.identify('jwt');
    await settle();
    expect(createTicket).toHaveBeenCalledOnce();
  });
});

it('no effect sees the next customer together with the last one’s texts', async () => {
  const fake = await busy({ calls: { identify: () => ok(bob) } });
  const { session, drafts, customer } = fake.models;
  const told: unknown[] = [];
  effect(() => {
    told.push([session.owner.value, drafts.reply('t1').value]);
  });
  await customer.identity.identify('jwt');
  expect(told).toEqual([
    [anasOwner, 'SECRET reply'],
    [bob.customer!.owner, ''],
  ]);
});

describe('a token exchange', () => {
  type Identity = Awaited<ReturnType<typeof busy>>['models']['customer']['identity'];
  const refused: [string, (identity: Identity) => void][] = [
    ['the token is refused', (identity) => void identity.identify('bad')],
    ['the page has no token', (identity) => identity.refuse()],
    ['the customer does not want to wait', (identity) => void identity.giveUp()],
  ];

  it.each(refused)(
    'that fails ends the session of the signed-in customer: %s [identity-11]',
    async (_why, refuse) => {
      const signOut = vi.fn<Api['signOut']>(ended);
      const fake = await busy({ calls: { signOut, identify: async () => http('unauthenticated') } });
      fake.models.customer.identity.expect();
      refuse(fake.models.customer.identity);
      await settle();
      expect(signOut).toHaveBeenCalledOnce();
      expect(inMemory(fake)).not.toMatch(/secret/i);
      expect(fake.models.home.value).toBe('form');
      expect(seen(fake).isWaiting).toBe(false);
    },
  );

  it('fails if no token comes in ten seconds, but a late token is still accepted', async () => {
    const signOut = vi.fn<Api['signOut']>(ended);
    const fake = await busy({ calls: { signOut, identify: () => ok(bob) } });
    const { identity } = fake.models.customer;
    identity.expect();
    await fake.clock.advance(3_000);
    expect(identity.isSlow.value).toBe(false);
    await fake.clock.advance(2_000);
    expect(identity.isSlow.value).toBe(true);
    expect(signOut).not.toHaveBeenCalled();
    await fake.clock.advance(5_000);
    expect(signOut).toHaveBeenCalledOnce();
    expect(fake.events.at(-1)).toEqual(failed);
    await identity.identify('late');
    await settle();
    expect(fake.models.session.owner.value).toBe(bob.customer!.owner);
  });

  it('that fails does not change an anonymous customer', async () => {
    const signOut = vi.fn<Api['signOut']>(ended);
    const fake = await busy({ session: aSession(), calls: { signOut } });
    fake.models.customer.identity.expect();
    fake.models.customer.identity.refuse();
    await settle();
    expect(signOut).not.toHaveBeenCalled();
    expect(fake.models.drafts.reply('t1').value).toBe('SECRET reply');
  });

  it('is retried behind the waiting screen when the BFF cannot be reached', async () => {
    const identify = vi.fn<Api['identify']>(async () => offline);
    const signOut = vi.fn<Api['signOut']>(ended);
    const fake = await busy({ calls: { identify, signOut } });
    fake.models.customer.identity.expect();
    void fake.models.customer.identity.identify('jwt');
    for (let turn = 0; turn < 5; turn += 1) await fake.clock.advance(60_000);
    expect(identify.mock.calls.length).toBeGreaterThan(2);
    expect(seen(fake).isWaiting).toBe(true);
    expect(signOut).not.toHaveBeenCalled();
    identify.mockImplementation(() => ok(ana));
    await fake.clock.advance(60_000);
    expect(seen(fake).isWaiting).toBe(false);
  });

  it('that came to two frames is exchanged by one, and the other takes its session', async () => {
    const { calls, signOut, lock } = onceOnly();
    const storage = newStore();
    const frames = [1, 2].map(() => fakeModels({ storage, calls, lock, isExpected: true }));
    await Promise.all(frames.map(({ models }) => models.customer.identity.identify('plain')));
    await settle();
    expect(frames.map(({ models }) => models.session.owner.value)).toEqual([anasOwner, anasOwner]);
    await frames[1]!.clock.advance(20_000);
    expect(signOut).not.toHaveBeenCalled();
  });

  it('that was exchanged before ends the session of somebody else', async () => {
    const bff = onceOnly();
    const fake = fakeModels({ calls: bff.calls });
    await fake.models.customer.identity.identify('plain');
    bff.signInAs(bob);
    await fake.models.customer.identity.identify('plain');
    await settle();
    expect(bff.signOut).toHaveBeenCalledOnce();
  });

  it('that another frame has used stays anonymous without storage, and signs nobody out', async () => {
    const bff = onceOnly();
    await fakeModels({ calls: bff.calls }).models.customer.identity.identify('plain');
    const calls = { ...bff.calls, session: () => ok(aSession(false)) };
    const { models } = fakeModels({ calls });
    await models.customer.identity.identify('plain');
    await settle();
    expect(models.session.isPending.value).toBe(false);
    expect(models.session.owner.value).toBeNull();
    expect(bff.signOut).not.toHaveBeenCalled();
  });

  it('requests a fresh token when an answer was lost', async () => {
    const identify = vi.fn<Api['identify']>(async () => http('unauthenticated'));
    const signOut = vi.fn<Api['signOut']>(ended);
    const fake = await busy({ calls: { identify, signOut } });
    identify.mockResolvedValueOnce(offline);
    fake.models.customer.identity.expect();
    void fake.models.customer.identity.identify('used up');
    await settle();
    await fake.clock.advance(60_000);
    expect(fake.askForToken).toHaveBeenCalledOnce();
    expect(signOut).not.toHaveBeenCalled();
  });

  it('that fails ends the session when the BFF can be reached again, also on another page [identity-12]', async () => {
    const calls = { signOut: async () => offline, identify: async () => http('unauthenticated') };
    const fake = await busy({ calls });
    fake.models.customer.identity.expect();
    void fake.models.customer.identity.identify('bad');
    await settle();
    expect(inMemory(fake)).not.toMatch(/secret/i);
    const createTicket = vi.fn<Api['createTicket']>(async () => offline);
    const signOut = vi.fn<Api['signOut']>(async () => offline);
    const session = vi.fn<Api['session']>(() => ok(ana));
    const next = fakeModels({ storage: fake.storage, calls: { signOut, createTicket, session } });
    next.models.outbox.addTicket({ subject: 'S', description: 'D', customer_email: 'x@example.com' });
    await settle();
    expect(signOut).toHaveBeenCalledOnce();
    expect([next.isStreaming(), createTicket.mock.calls]).toEqual([false, []]);
    signOut.mockImplementation(ended);
    session.mockImplementation(ended);
    await next.clock.advance(60_000);
    expect(createTicket).toHaveBeenCalledOnce();
  });
});

describe('what a signed-in customer wrote', () => {
  it('is neither shown nor sent while another customer is signed in [identity-15]', async () => {
    const reply = vi.fn<Api['reply']>(async () => offline);
    const identify = vi.fn<Api['identify']>(() => ok(bob));
    const fake = await busy({ calls: { reply, identify } });
    reply.mockClear();
    await fake.models.customer.identity.identify('jwt');
    await settle();
    expect(inMemory(fake)).not.toMatch(/secret/i);
    fake.models.outbox.wake();
    await fake.clock.advance(60_000);
    expect(reply).not.toHaveBeenCalled();
    identify.mockImplementation(() => ok(ana));
    await fake.models.customer.identity.identify('jwt 2');
    await settle();
    expect(reply).toHaveBeenCalledWith('t1', 'key-1', { body: 'SECRET unsent' }, anasOwner);
    expect(fake.models.drafts.reply('t1').value).toBe('SECRET reply');
  });

  it('is not sent under an anonymous session after theirs has ended [identity-16]', async () => {
    const reply = vi.fn<Api['reply']>(async () => http('unauthenticated'));
    const fake = await busy({ calls: { reply } });
    await fake.clock.advance(60_000);
    expect(inMemory(fake)).not.toMatch(/SECRET/);
    expect(fake.models.session.owner.value).toBeNull();
    reply.mockClear();
    await fake.clock.advance(60_000);
    expect(reply).not.toHaveBeenCalled();
    expect(stored(fake.raw)).toContain('SECRET unsent');
  });

  it('survives another customer’s sign-out, and is removed at their own', async () => {
    const calls = { identify: () => ok(bob), signOut: ended };
    const fake = await busy({ calls });
    await fake.models.customer.identity.identify('jwt');
    fake.models.newTicket.set('description', 'Bob’s draft');
    fake.models.drafts.flush();
    await fake.models.customer.signOut();
    expect(stored(fake.raw)).toContain('SECRET unsent');
    expect(stored(fake.raw)).not.toContain('Bob’s draft');
    calls.identify = () => ok(ana);
    fake.api.identify = calls.identify;
    fake.models.customer.identity.expect();
    await fake.models.customer.identity.identify('jwt 2');
    await fake.models.customer.signOut();
    expect(everything(fake)).not.toMatch(/secret/i);
  });

  it('is removed at their own sign-out, also after their session has ended', async () => {
    const fake = await busy({ calls: { signOut: ended } });
    await fake.push({ name: 'session', data: nobody });
    expect(stored(fake.raw)).toContain('SECRET reply');
    await fake.models.customer.signOut();
    expect(stored(fake.raw)).not.toMatch(/secret/i);
  });

  it('is hidden when their session ends, and shown when they come back', async () => {
    const fake = await busy();
    await fake.push({ name: 'session', data: nobody });
    expect(inMemory(fake)).not.toMatch(/secret/i);
    expect(fake.models.newTicket.failure.value).toBe('unauthenticated');
    fake.models.session.put(ana);
    expect(fake.models.drafts.reply('t1').value).toBe('SECRET reply');
    expect(fake.models.newTicket.fields.value.description).toBe('SECRET draft');
    expect(fake.models.outbox.sends.value).toHaveLength(1);
  });

  it('is not overwritten by what was written before they signed in', async () => {
    const storage = newStore();
    storage.write(`draft:${anasOwner}/new`, { ...emptyForm, description: 'Ana’s own' });
    const fake = fakeModels({ storage, calls: { identify: () => ok(ana) } });
    fake.models.newTicket.set('description', 'Nobody’s');
    await fake.models.customer.identity.identify('jwt');
    await settle();
    expect(fake.models.newTicket.fields.value.description).toBe('Ana’s own');
    expect(storage.read('draft:new')).toMatchObject({ description: 'Nobody’s' });
  });
});

const emptyForm = {
  customer_name: '',
  customer_email: '',
  subject: '',
  description: '',
  priority: '',
  notify: '',
};

describe('another tab', () => {
  const here = (session: () => ReturnType<typeof ok<Session>>) => busy({ calls: { session } });

  it('with another customer clears this one before it shows anything else [identity-18]', async () => {
    const fake = await here(() => ok(bob));
    fake.storage.write('owner', bob.customer!.owner);
    fake.storage.write(`draft:${bob.customer!.owner}/t9`, 'Bob’s');
    fake.models.onOtherTab();
    expect(inMemory(fake)).not.toMatch(/secret/i);
    expect(fake.isStreaming()).toBe(false);
    await settle();
    expect(fake.models.session.owner.value).toBe(bob.customer!.owner);
    expect(fake.storage.read(`draft:${bob.customer!.owner}/t9`)).toBe('Bob’s');
    expect(inMemory(fake)).not.toMatch(/secret/i);
  });

  it('with the same customer changes nothing here', async () => {
    const session = vi.fn<() => ReturnType<typeof ok<Session>>>(() => ok(ana));
    const fake = await here(session);
    const before = inMemory(fake);
    fake.storage.write('owner', anasOwner);
    fake.models.onOtherTab();
    await settle();
    expect(inMemory(fake)).toBe(before);
    expect(session).not.toHaveBeenCalled();
  });

  it('with a session of its own, without cookies, signs this one out', async () => {
    const dropToken = vi.fn<() => void>();
    const fake = await busy({ calls: { isAlone: () => true, dropToken, session: ended } });
    fake.storage.write('owner', bob.customer!.owner);
    fake.models.onOtherTab();
    await settle();
    expect(dropToken).toHaveBeenCalledOnce();
    expect(inMemory(fake)).not.toMatch(/secret/i);
  });
});
