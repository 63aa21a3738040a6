import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { accountPaths } from '../../../shared/contract/account-paths.ts';
import { paths } from '../../../shared/contract/paths.ts';
import type { TicketSummary } from '../../../shared/contract/tickets.ts';
import { startBff, type TestBff } from '../../testing/bff.ts';
import { ticketBody, type TestBrowser } from '../../testing/browser.ts';
import { addTickets, claim, identify, idsOf, signedIn, withIdentity } from '../../testing/identity.ts';
import { startStreams, type TestStreams, until } from '../../testing/streams.ts';
import type { createOrgPart } from './extra.ts';

const [ada, bob] = ['ada@example.com', 'bob@example.com'];
const acme = { org: 'acme' };
const acmeReader = { ...acme, org_tickets: true };
const secret = 'Our invoice 4711 is wrong';
let bff: TestBff;
let streams: TestStreams;
/** Has opened `ticket`. */
let opener: TestBrowser;
let ticket: { id: string };
beforeEach(async () => {
  bff = await startBff(withIdentity);
  streams = await startStreams(bff);
  opener = await signedIn(bff, ada, acme);
  ticket = (await opener.openTicket({ customer_email: ada, description: secret })).data;
});
afterEach(() => bff.stop());

const settled = () => (bff.extras.get('org') as ReturnType<typeof createOrgPart>).settled();
const colleague = (claims: Record<string, unknown> = {}) => signedIn(bff, bob, { ...acmeReader, ...claims });
const colleagueGrants = () => bff.store.selectFrom('grants').selectAll().where('colleague', '=', 1).execute();

/** The ways by which this browser can read of the ticket. */
async function waysOf(browser: TestBrowser): Promise<string[]> {
  const texts: Record<string, string> = {};
  if (browser.cookie) {
    const stream = await streams.listen(browser.cookie, ticket.id);
    await settled();
    texts['stream of the ticket'] = JSON.stringify(stream.seen);
    texts['stream'] = JSON.stringify((await streams.listen(browser.cookie)).seen);
  }
  for (const path of [paths.tickets, paths.ticket(ticket.id), `${paths.ticket(ticket.id)}?before=`])
    texts[path] = (await browser.get(path)).text;
  return Object.keys(texts).filter((way) => [ticket.id, secret].some((word) => texts[way]!.includes(word)));
}

/** A colleague with the ticket on screen. */
async function reading(claims: Record<string, unknown> = {}) {
  const browser = await colleague(claims);
  const stream = await streams.listen(browser.cookie, ticket.id);
  expect(JSON.stringify(stream.seen)).toContain(secret);
  return { browser, stream };
}

/** The same once their open stream has ended, and what that stream has shown of a later answer. */
async function waysAfter({ browser, stream }: Awaited<ReturnType<typeof reading>>): Promise<string[]> {
  await stream.ended;
  bff.service.addMessage(ticket.id, 'agent', 'For Acme only');
  const ways = await waysOf(browser);
  return JSON.stringify(stream.seen).includes('For Acme only') ? ['ended stream', ...ways] : ways;
}

describe('a colleague who may read the tickets of their organisation', () => {
  it('reads the whole conversation of a ticket, without the opener’s address or key', async () => {
    await opener.post(paths.messages(ticket.id), { body: 'And page two' });
    bff.service.addMessage(ticket.id, 'agent', 'We look into it');
    const browser = await colleague();
    const { data, text } = await browser.get(paths.ticket(ticket.id));
    expect(data.messages.map(({ body }: { body: string }) => body)).toEqual([
      secret,
      'And page two',
      'We look into it',
    ]);
    expect(data).toMatchObject({ colleague: true, key: null, unread: 0 });
    expect(data.messages.every(({ key }: { key: null }) => key === null)).toBe(true);
    const list = await browser.get(paths.tickets);
    for (const each of [text, list.text]) expect(each).not.toContain(ada);
    expect((await browser.get(paths.session)).data.unread).toBe(0);
  });

  it('has their own tickets first', async () => {
    const browser = await colleague();
    const own = (await browser.openTicket({ customer_email: bob })).data;
    await opener.post(paths.messages(ticket.id), { body: 'Newer' });
    const list = (await browser.get(paths.tickets)).data as TicketSummary[];
    expect(list.map(({ id, colleague: isColleagues = false }) => [id, isColleagues])).toEqual([
      [own.id, false],
      [ticket.id, true],
    ]);
  });

  it('sees a ticket that is opened while they look, and its answers', async () => {
    const browser = await colleague();
    const stream = await streams.listen(browser.cookie);
    const next = (await opener.openTicket({ customer_email: ada })).data;
    await until(() => expect(stream.of('ticket').map(({ id }) => id)).toContain(next.id));
    const thread = await streams.listen(browser.cookie, next.id);
    bff.service.addMessage(next.id, 'agent', 'An answer');
    await until(() => expect(JSON.stringify(thread.of('message'))).toContain('An answer'));
  });

  it('sees a ticket that was opened while they were away', async () => {
    const browser = await colleague();
    await bff.store.deleteFrom('grants').where('colleague', '=', 1).execute();
    await streams.listen(browser.cookie);
    await settled();
    expect(await idsOf(browser)).toEqual([ticket.id]);
  });

  it('reads only what the opener may: a reply that came another way stays hidden without a proven address', async () => {
    const typing = await signedIn(bff, 'eve@example.com', { ...acme, email_verified: false });
    const { id } = (await typing.openTicket({ customer_email: 'carol@example.com' })).data;
    bff.service.addMessage(id, 'customer', 'Carol’s words');
    const { data } = await (await colleague()).get(paths.ticket(id));
    expect(data.messages).toHaveLength(1);
  });
});

describe('nothing of a ticket is shown to', () => {
  it.each([
    ['a colleague without `org_tickets`', acme],
    ['a colleague whose `org_tickets` is no boolean', { ...acme, org_tickets: 'true' }],
    ['a customer without an organisation', { org_tickets: true }],
    ['a customer of another organisation', { ...acmeReader, org: 'Acme' }],
    ['a customer whose organisation is empty', { ...acmeReader, org: '' }],
    ['a customer whose organisation is a list', { ...acmeReader, org: ['acme'] }],
    ['a customer whose organisation is an object', { ...acmeReader, org: { id: 'acme' } }],
    ['a customer whose organisation is too long', { ...acmeReader, org: 'a'.repeat(201) }],
    ['a customer with the same proven address', { sub: 'another', email: ada }],
  ])('%s [isolation-47]', async (_, claims) => {
    const browser = await signedIn(bff, bob, claims);
    expect((await browser.get(paths.session)).data.customer).not.toBeNull();
    expect(await waysOf(browser)).toEqual([]);
  });

  it.each([
    [{ ...acme, org_tickets: 'true' }, true],
    [{ org: ['acme'] }, true],
    [{ org: '' }, false],
    [acmeReader, false],
  ])('for claims that cannot be read, and the log says so: %j', async (claims, isSaid) => {
    await signedIn(bff, bob, claims);
    expect(bff.logLines.some((line) => line.includes('identity_org_left_out'))).toBe(isSaid);
  });

  it('customers without an organisation among themselves, also where the claim is empty', async () => {
    for (const org of [undefined, null, '']) {
      const writer = await signedIn(bff, 'dan@example.com', { org, org_tickets: true });
      await writer.openTicket({ customer_email: 'dan@example.com' });
      const other = await signedIn(bff, 'eve@example.com', { org, org_tickets: true });
      expect(await idsOf(other)).toEqual([]);
    }
  });

  it('an anonymous visitor, however they name the organisation', async () => {
    const visitor = bff.browser();
    expect(await waysOf(visitor)).toEqual([]);
    const body = { ...ticketBody, ...acmeReader, context: acmeReader, form: { ...acmeReader } };
    await visitor.openTicket();
    await visitor.openTicket(body);
    await visitor.request('POST', paths.identity, { token: 'none', ...acmeReader });
    await visitor.request('POST', accountPaths.code, { email: ada, ...acmeReader });
    expect(await waysOf(visitor)).toEqual([]);
  });

  it('a customer of the same organisation at another site', async () => {
    const other = await startBff({ ...withIdentity, beside: bff });
    const there = await signedIn(other, bob, acmeReader);
    expect(await idsOf(there)).toEqual([]);
    expect((await there.get(paths.ticket(ticket.id))).status).toBe(404);
    await other.stop();
  });
});

describe('a colleague loses the tickets, also on an open stream, when', () => {
  it.each([
    ['another organisation', { ...acmeReader, org: 'globex' }],
    ['no organisation', { org: undefined, org_tickets: true }],
    ['no right to read', acme],
  ])('their next token has %s [isolation-48]', async (_, claims) => {
    const there = await reading();
    const elsewhere = bff.browser();
    await identify(elsewhere, bob, claims);
    expect(await waysAfter(there)).toEqual([]);
    expect(await colleagueGrants()).toEqual([]);
  });

  it('their next token has no right to read, in a client without cookies', async () => {
    const client = bff.browser({ isBearer: true });
    await identify(client, bob, acmeReader);
    expect(await idsOf(client)).toEqual([ticket.id]);
    await identify(bff.browser(), bob, acme);
    expect(await waysOf(client)).toEqual([]);
  });

  it('they prove the same address by a code, until the site confirms the organisation again', async () => {
    const there = await reading();
    const { id } = (
      await bff.store.selectFrom('org_members').selectAll().where('sees', '=', 1).execute()
    ).map(({ subject_id }) => ({ id: subject_id }))[0]!;
    await bff.extras.get('org')!.onSignedIn!(id, null);
    bff.live.restart(id);
    expect(await waysAfter(there)).toEqual([]);
    await identify(there.browser, bob, acmeReader);
    expect(await idsOf(there.browser)).toEqual([ticket.id]);
  });

  it('the opener deletes their data', async () => {
    const there = await reading();
    expect((await opener.request('DELETE', accountPaths.data)).status).toBe(200);
    expect(await waysAfter(there)).toEqual([]);
    for (const table of ['org_tickets', 'tickets', 'operations'] as const)
      expect(await bff.store.selectFrom(table).selectAll().execute()).toEqual([]);
  });

  it('the owner of its address claims it', async () => {
    await bff.operatorData.forget(ada, 'drop');
    const typing = await signedIn(bff, 'eve@example.com', { ...acme, email_verified: false });
    ticket = (await typing.openTicket({ customer_email: 'carol@example.com', description: secret })).data;
    const there = await reading();
    const carol = await signedIn(bff, 'carol@example.com', acmeReader);
    await claim(carol);
    expect(await waysAfter(there)).toEqual([]);
    const { data } = await carol.get(paths.ticket(ticket.id));
    expect(data.colleague).toBeUndefined();
    expect((await carol.post(paths.messages(ticket.id), { body: 'Mine now' })).status).toBe(201);
  });

  it('the operator deletes the opener', async () => {
    await colleague();
    await bff.operatorData.forget(ada, 'drop');
    expect(await colleagueGrants()).toEqual([]);
  });

  it('they look again after the store failed at the sign-in that ended the right', async () => {
    const there = await reading();
    // The open stream may call it as well.
    const failing = vi.spyOn(bff.grants, 'setColleagueTickets').mockRejectedValue(new Error('disk full'));
    expect((await identify(bff.browser(), bob, acme)).status).toBe(500);
    failing.mockRestore();
    await streams.listen(there.browser.cookie);
    expect(await waysAfter(there)).toEqual([]);
  });

  it('they sign out', async () => {
    const { browser, stream } = await reading();
    await browser.request('DELETE', paths.session);
    await stream.ended;
    expect(await waysOf(browser)).toEqual([]);
  });
});

it('a colleague who holds the ticket as their own as well keeps their stream', async () => {
  const browser = await colleague();
  await bff.store.updateTable('grants').set({ colleague: 0 }).execute();
  const stream = await streams.listen(browser.cookie);
  await settled();
  expect(stream.isOpen()).toBe(true);
  expect((await browser.get(paths.ticket(ticket.id))).data.colleague).toBeUndefined();
});

it('an older token that is used late does not bring the organisation back', async () => {
  const iat = Math.floor(Date.now() / 1_000);
  const { signedInLate, now } = { signedInLate: bff.browser(), now: bff.browser() };
  await identify(now, bob, { org: 'globex', org_tickets: true });
  await bff.store
    .updateTable('org_members')
    .set({ token_at: iat + 30 })
    .where('sees', '=', 1)
    .execute();
  await identify(signedInLate, bob, acmeReader);
  expect(await waysOf(signedInLate)).toEqual([]);
});

describe('a colleague’s ticket', () => {
  it('takes no reply and no mark, with the answer for a foreign ticket [isolation-49]', async () => {
    const { browser } = await reading();
    const foreign = await signedIn(bff, 'eve@example.com');
    const { id } = bff.service.addMessage(ticket.id, 'agent', 'An answer');
    const answers = async (by: TestBrowser) => {
      const all = [
        await by.post(paths.messages(ticket.id), { body: 'Not mine' }),
        await by.post(paths.read(ticket.id), { message_id: id }),
      ];
      return all.map(({ status, error }) => [status, error.code]);
    };
    expect(await answers(browser)).toEqual([
      [404, 'not_found'],
      [404, 'not_found'],
    ]);
    expect(await answers(foreign)).toEqual(await answers(browser));
    expect(bff.service.writes()).toHaveLength(1);
  });

  it('cannot be resent or looked up by the key of its opener', async () => {
    const key = crypto.randomUUID();
    await opener.openTicket({ customer_email: ada }, key);
    const browser = await colleague();
    expect((await browser.get(paths.operation(key))).status).toBe(404);
    expect((await browser.request('POST', paths.retry(key), {})).status).toBe(404);
    expect((await browser.get(paths.ticket(key))).status).toBe(404);
  });

  it('is not sent to, even if a send was recorded', async () => {
    await reading();
    const { subject_id, session_id } = await bff.store
      .selectFrom('sessions')
      .innerJoin('org_members', 'org_members.subject_id', 'sessions.subject_id')
      .select(['sessions.subject_id', 'sessions.id as session_id'])
      .where('sees', '=', 1)
      .executeTakeFirstOrThrow();
    const session = (await bff.sessions.find(session_id))!;
    expect(session.subjectId).toBe(subject_id);
    const { row } = await bff.delivery.acceptReply(session, { ticketId: ticket.id }, crypto.randomUUID(), {
      body: 'Past the check',
    });
    await expect(bff.delivery.follow(row)).rejects.toMatchObject({ code: 'not_found' });
    expect(bff.service.writes()).toHaveLength(1);
  });

  it('cannot be claimed, not even with the same proven address, and stays with its opener', async () => {
    const browser = await signedIn(bff, ada, { ...acmeReader, sub: 'another' });
    expect((await opener.get(paths.session)).data.claimable).toBe(0);
    expect((await browser.get(paths.session)).data.claimable).toBe(0);
    await claim(browser);
    await addTickets(browser);
    expect((await browser.post(paths.messages(ticket.id), { body: 'No' })).status).toBe(404);
    await claim(opener);
    expect(await idsOf(browser)).toEqual([ticket.id]);
    expect((await opener.post(paths.messages(ticket.id), { body: 'Mine' })).status).toBe(201);
  });

  it('is not in the colleague’s data, and outlives them', async () => {
    const { browser } = await reading();
    const { data } = await browser.get(accountPaths.data);
    expect([data.tickets, data.sends]).toEqual([[], []]);
    await browser.request('DELETE', accountPaths.data);
    const left = await opener.get(paths.ticket(ticket.id));
    expect(left.data.messages.map(({ body }: { body: string }) => body)).toEqual([secret]);
    expect(left.data.key).not.toBeNull();
    expect((await opener.post(paths.messages(ticket.id), { body: 'Still here' })).status).toBe(201);
  });

  it('never becomes theirs when its opener deletes everything', async () => {
    const { browser } = await reading();
    await opener.request('DELETE', accountPaths.data);
    const sends = await bff.store.selectFrom('operations').selectAll().execute();
    expect(sends).toEqual([]);
    expect((await browser.get(accountPaths.data)).data.sends).toEqual([]);
  });
});

describe('to an organisation belongs', () => {
  it('no ticket that was opened before the token said so', async () => {
    const early = await signedIn(bff, 'dan@example.com');
    await early.openTicket({ customer_email: 'dan@example.com' });
    await identify(early, 'dan@example.com', acme);
    expect(await idsOf(await colleague())).toEqual([ticket.id]);
  });

  it('no ticket that was opened anonymously, also if it is delivered after the sign-in', async () => {
    const [visitor, reader] = [bff.browser(), await colleague()];
    await visitor.openTicket({ customer_email: 'dan@example.com' });
    bff.service.answer = ({ method }) => (method === 'POST' ? { statusCode: 429 } : undefined);
    await visitor.openTicket({ customer_email: 'dan@example.com' });
    await identify(visitor, 'dan@example.com', acme);
    bff.service.answer = undefined;
    bff.clock.offsetMs = 1_800_000;
    bff.worker.poll();
    await until(() => expect(bff.service.tickets.size).toBe(3));
    await until(async () =>
      expect((await visitor.get(paths.tickets)).data).toMatchObject([{ state: 'done' }, { state: 'done' }]),
    );
    await streams.listen(reader.cookie);
    await settled();
    expect(await idsOf(reader)).toEqual([ticket.id]);
  });

  it('a ticket whose opener has left since, and the opener keeps it', async () => {
    await identify(opener, ada, { org: 'globex', org_tickets: true });
    const globex = await signedIn(bff, 'eve@example.com', { org: 'globex', org_tickets: true });
    expect(await idsOf(globex)).toEqual([]);
    expect(await idsOf(opener)).toEqual([ticket.id]);
    expect(await idsOf(await colleague())).toEqual([ticket.id]);
  });
});

it('the store has no name of an organisation in clear', async () => {
  await colleague({ org: 'acme' });
  const rows = [
    await bff.store.selectFrom('org_members').selectAll().execute(),
    await bff.store.selectFrom('org_tickets').selectAll().execute(),
  ];
  expect(rows.flat().length).toBeGreaterThan(2);
  expect(JSON.stringify(rows)).not.toContain('acme');
});

it('a colleague has the newest 200 tickets', async () => {
  const opening = await bff.store.selectFrom('operations').selectAll().executeTakeFirstOrThrow();
  const [facts, { org_hash }] = [
    await bff.store.selectFrom('tickets').selectAll().executeTakeFirstOrThrow(),
    await bff.store.selectFrom('org_tickets').selectAll().executeTakeFirstOrThrow(),
  ];
  const { subject_id } = opening;
  for (let n = 0; n < 205; n += 1) {
    const id = `z${String(n).padStart(3, '0')}`;
    const { seq: _, ...row } = { ...opening, id, key: id, ref: id, ticket_id: id, upstream_id: id };
    await bff.store
      .insertInto('tickets')
      .values({ ...facts, id })
      .execute();
    await bff.store.insertInto('operations').values(row).execute();
    await bff.store.insertInto('grants').values({ subject_id, ticket_id: id, created_at: 0 }).execute();
    await bff.store.insertInto('org_tickets').values({ operation_id: id, subject_id, org_hash }).execute();
  }
  const ids = await idsOf(await colleague());
  expect(ids).toHaveLength(200);
  expect([ids[0], ids.at(-1)]).toEqual(['z005', 'z204']);
});
