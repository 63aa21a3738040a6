import { transfer } from '../customer/Offers.tsx';
import { describe, expect, it, vi } from 'vitest';
import { readAddress } from '../../../bff/core/identity/address.ts';
import type { Session } from '../../../shared/contract/session.ts';
import type { Api } from '../api/client.ts';
import { ana, ok } from '../testing/customers.ts';
import {
  aMessage,
  aSession,
  aThread,
  aTicket,
  fakeModels,
  http,
  newStore,
  offline,
  settle,
} from '../testing/fakes.ts';
import { submitForm } from '../testing/steps.ts';
import { createStore } from '../browser/storage.ts';
import { foldAddress } from './unowned.ts';

/** A visitor has written without an account. Then the host page signs somebody in, who may be another person. */

const anasOwner = ana.customer!.owner!;
const typed = { subject: 'S', description: 'It is chipped.', customer_email: 'visitor@example.com' };
const underAnas = { ...typed, customer_email: 'ANA@Secret.example' };
const unproven: Session = { ...ana, customer: { ...ana.customer!, verified: false } };

type Fake = ReturnType<typeof fakeModels>;

const signIn = async ({ models }: Fake) => {
  await models.customer.identity.identify('jwt');
  await settle();
};

/** A BFF that sends cannot reach until a test allows it. */
function calls(more: Partial<Omit<Api, 'createTicket' | 'reply'>> = {}) {
  return {
    createTicket: vi.fn<Api['createTicket']>(async () => offline),
    reply: vi.fn<Api['reply']>(async () => offline),
    identify: () => ok(ana),
    transfer: () => ok(ana),
    tickets: () => ok([]),
    ...more,
  };
}

/** What the signed-in customer sees of it, and whether they are asked. */
const seen = ({ models }: Fake) => ({
  list: models.list.value.map(({ preview }) => preview?.text),
  asked: models.customer.transferable.value,
});
const waits = { list: [], asked: 1 };

/** Runs every send that could start automatically. */
async function everythingDue(fake: Fake) {
  fake.models.outbox.wake();
  for (let turn = 0; turn < 3; turn += 1) await fake.clock.advance(60_000);
}

/** A ticket that waits in this browser after a customer has signed in. */
async function writtenBeforeSignIn() {
  const api = calls();
  const fake = fakeModels({ calls: api });
  await settle();
  const { key } = fake.models.outbox.addTicket(typed);
  await signIn(fake);
  api.createTicket.mockClear();
  return { api, fake, key };
}

describe('a ticket written while nobody was signed in', () => {
  it.each([
    ['waits while the browser is offline', async () => offline],
    ['waits because the BFF is overloaded', async () => http('overloaded', { retryable: true })],
  ])(
    'that %s is neither shown nor sent after a sign-in, but counted in the question to the customer',
    async (_why, fails) => {
      const api = calls();
      api.createTicket.mockImplementation(fails);
      const fake = fakeModels({ calls: api });
      await settle();
      fake.models.outbox.addTicket(typed);
      await settle();
      api.createTicket.mockClear();
      await signIn(fake);
      await everythingDue(fake);
      expect(api.createTicket).not.toHaveBeenCalled();
      expect(seen(fake)).toEqual(waits);
      expect(fake.models.home.value).toBe('tickets');
    },
  );

  it('that is in flight at the sign-in is not retried under the customer who signs in [identity-29]', async () => {
    let fail = () => {};
    const api = calls();
    api.createTicket.mockImplementationOnce(() => new Promise((resolve) => (fail = () => resolve(offline))));
    const fake = fakeModels({ calls: api });
    await settle();
    fake.models.outbox.addTicket(typed);
    await settle();
    const signedIn = signIn(fake);
    fail();
    await signedIn;
    await everythingDue(fake);
    expect(api.createTicket).toHaveBeenCalledOnce();
    expect(seen(fake)).toEqual(waits);
  });

  it('is sent under the same key as the customer’s own after they have added it', async () => {
    const { api, fake, key } = await writtenBeforeSignIn();
    await transfer(fake.models, true);
    await settle();
    expect(api.createTicket.mock.calls).toEqual([[key, typed, anasOwner]]);
    expect(seen(fake)).toEqual({ list: [typed.description], asked: 0 });
  });

  it('waits after a “No” without another question, and is sent when nobody is signed in', async () => {
    const { api, fake, key } = await writtenBeforeSignIn();
    await transfer(fake.models, false);
    await everythingDue(fake);
    expect(seen(fake)).toEqual({ list: [], asked: 0 });
    expect(api.createTicket).not.toHaveBeenCalled();
    fake.models.session.put(aSession(false));
    await everythingDue(fake);
    expect(api.createTicket).toHaveBeenCalledWith(key, typed, null);
    expect(seen(fake).list).toEqual([typed.description]);
  });

  it.each([
    [
      'under the address that the site has proven, however it is spelled, becomes the customer’s',
      underAnas,
      ana,
      true,
    ],
    ['under the same address, which the site has not proven, waits', underAnas, unproven, false],
    ['under another address waits', typed, ana, false],
  ])('%s', async (_rule, payload, session, isSent) => {
    const api = calls({ identify: () => ok(session) });
    const fake = fakeModels({ calls: api });
    await settle();
    const { key } = fake.models.outbox.addTicket(payload);
    await settle();
    api.createTicket.mockClear();
    await signIn(fake);
    await everythingDue(fake);
    expect(api.createTicket.mock.calls[0]).toEqual(isSent ? [key, payload, anasOwner] : undefined);
    expect(seen(fake).asked).toBe(isSent ? 0 : 1);
  });

  it.each([
    ['in storage', newStore()],
    [
      'in memory, where storage is blocked',
      createStore(() => {
        throw new DOMException('denied');
      }),
    ],
  ])(
    'has no owner after a reload and in another tab of the signed-in customer: %s',
    async (_where, storage) => {
      const first = fakeModels({ storage, calls: calls() });
      await settle();
      first.models.outbox.addTicket(typed);
      await signIn(first);
      const api = calls({ session: () => ok(ana) });
      const next = fakeModels({ storage, calls: api });
      await next.push({ name: 'sync', data: { session: ana, tickets: [], thread: null } });
      await everythingDue(next);
      expect(api.createTicket).not.toHaveBeenCalled();
      expect(seen(next)).toEqual(waits);
    },
  );

  it('in a tab that missed a sign-in elsewhere waits after the BFF has refused it [identity-30]', async () => {
    const api = calls({ session: () => ok(aSession(false)) });
    const fake = fakeModels({ calls: api });
    await settle();
    fake.api.session = () => ok(ana);
    api.createTicket.mockResolvedValue(http('unauthenticated'));
    submitForm(fake);
    await everythingDue(fake);
    expect(api.createTicket).toHaveBeenCalledOnce();
    expect(fake.models.newTicket.fields.value.description).toBe('');
    expect(seen(fake)).toEqual(waits);
  });

  it('that the BFF already has is neither counted a second time nor shown', async () => {
    const accepted = aTicket({ id: null, key: 'key-1', state: 'accepted' });
    const api = calls({ identify: () => ok({ ...ana, transferable: 1 }) });
    api.createTicket.mockResolvedValue({ ok: true, value: accepted });
    const fake = fakeModels({ calls: api });
    await settle();
    fake.models.outbox.addTicket(typed);
    await settle();
    await signIn(fake);
    await fake.push({
      name: 'sync',
      data: { session: { ...ana, transferable: 1 }, tickets: [], thread: null },
    });
    expect(seen(fake)).toEqual(waits);
    await transfer(fake.models, false);
    expect(fake.storage.names('send:')).toEqual([]);
  });
});

describe('a reply written while nobody was signed in', () => {
  it('is sent after its ticket, when that waits in this browser too [identity-31]', async () => {
    const api = calls();
    const fake = fakeModels({ calls: api });
    await settle();
    const { key } = fake.models.outbox.addTicket(typed);
    fake.models.outbox.addMessage({ id: null, key }, { body: 'One more thing' });
    await signIn(fake);
    await everythingDue(fake);
    expect(seen(fake)).toEqual(waits);
    expect(api.reply).not.toHaveBeenCalled();
    api.createTicket.mockImplementation(() => ok(aTicket({ key })));
    api.reply.mockImplementation(() => ok(aMessage()));
    await transfer(fake.models, true);
    await settle();
    expect(api.reply.mock.calls).toEqual([[key, 'key-2', { body: 'One more thing' }, anasOwner]]);
  });

  it('to a ticket that the BFF has waits until that ticket is the customer’s', async () => {
    const api = calls({ ticket: () => ok(aThread()) });
    const fake = fakeModels({ calls: api });
    await settle();
    fake.models.outbox.addMessage({ id: 't1', key: null }, { body: 'One more thing' });
    await signIn(fake);
    const sync = (tickets: ReturnType<typeof aTicket>[]) =>
      fake.push({ name: 'sync', data: { session: ana, tickets, thread: null } });
    await sync([]);
    api.reply.mockClear();
    await everythingDue(fake);
    expect(api.reply).not.toHaveBeenCalled();
    await sync([aTicket()]);
    expect(api.reply.mock.calls).toEqual([['t1', 'key-1', { body: 'One more thing' }, anasOwner]]);
  });
});

it('two addresses are equal only if they are equal for the BFF, and always if both are ASCII', () => {
  const addresses = [
    'ana@example.com',
    ' ANA@Example.COM',
    'ana+1@example.com',
    'a.na@example.com',
    'ana@exämple.de',
    'ANA@xn--exmple-cua.de',
    'ana@EXÄMPLE.de',
    'ana@ｅｘａｍｐｌｅ.com',
    'jose\u0301@example.com',
    'jos\u00E9@example.com',
    'JOS\u00C9@example.com',
    'ana@example.com/other',
    'ana@example.com:80',
    'bob@example.com@example.com',
    'ana@127.1',
    'ana',
  ];
  const pairs = addresses.flatMap((one) => addresses.map((other) => [one, other] as const));
  const known = (address: string) => readAddress(address.trim());
  const isSameThere = pairs.filter(([one, other]) => known(one) !== null && known(one) === known(other));
  const isSameHere = pairs.filter(
    ([one, other]) => known(one) !== null && foldAddress(one) === foldAddress(other),
  );
  expect(isSameThere).toEqual(expect.arrayContaining(isSameHere));
  const isAscii = (pair: readonly string[]) => /^[ -~]+$/.test(pair.join(''));
  expect(isSameHere.filter(isAscii)).toEqual(isSameThere.filter(isAscii));
});
