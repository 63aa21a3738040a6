import { describe, expect, it } from 'vitest';
import { aMessage, aThread, aTicket } from '../testing/fakes.ts';
import { createTickets } from './tickets.ts';

const waiting = aTicket({ id: null, key: 'k1', state: 'accepted' });
const answer = aMessage({
  id: 'm2',
  author_type: 'agent',
  body: 'Answer',
  created_at: '2026-11-21T11:00:00Z',
});
const ids = (tickets: ReturnType<typeof createTickets>) => tickets.thread('t1')!.messages.map(({ id }) => id);

describe('a ticket', () => {
  it.each([
    ['has an id', aTicket({ key: 'k1' })],
    ['is done, though its id is not known yet', aTicket({ ...waiting, state: 'done' })],
    ['was refused', aTicket({ ...waiting, state: 'rejected' })],
  ])('that %s is not changed back by a late update', (_what, known) => {
    const tickets = createTickets();
    tickets.put(known);
    tickets.put(waiting);
    expect(tickets.list.value).toEqual([known]);
    tickets.removeUnlisted([waiting]);
    tickets.put(waiting);
    expect(tickets.list.value).toEqual([known]);
  });

  it('that waits takes every later update', () => {
    const tickets = createTickets();
    for (const state of ['sending', 'unknown', 'accepted', 'done'] as const) {
      tickets.put({ ...waiting, state });
      expect(tickets.list.value).toMatchObject([{ state }]);
    }
  });

  it('does not make the list count as loaded', () => {
    const tickets = createTickets();
    tickets.put(waiting);
    expect(tickets.isLoaded.value).toBe(false);
    tickets.removeUnlisted([]);
    expect(tickets.isLoaded.value).toBe(true);
    expect(tickets.list.value).toEqual([]);
  });

  it('that the list has dropped is removed with its conversation', () => {
    const tickets = createTickets();
    tickets.putThread(aThread());
    tickets.removeUnlisted([]);
    expect(tickets.thread('t1')).toBeUndefined();
  });
});

describe('what arrives after a list was requested', () => {
  it('stays when that list does not have it, and is removed by the next', () => {
    const tickets = createTickets();
    tickets.put(aTicket({ id: 'old' }));
    const since = tickets.moment();
    tickets.put(waiting);
    tickets.putThread(aThread([], { ...waiting, read_at: null }));
    tickets.removeUnlisted([], since);
    expect(tickets.list.value).toEqual([waiting]);
    expect(tickets.thread('k1')).toBeDefined();
    tickets.removeUnlisted([], tickets.moment());
    expect(tickets.list.value).toEqual([]);
    expect(tickets.thread('k1')).toBeUndefined();
  });

  it('stays in a conversation when a page that was requested earlier arrives', () => {
    const tickets = createTickets();
    tickets.putThread(aThread());
    const since = tickets.moment();
    tickets.putMessage(tickets.thread('t1')!, answer);
    tickets.putThread(aThread([aMessage()], { read_at: '2026-11-21T13:00:00Z' }), since);
    expect(ids(tickets)).toEqual(['m1', 'm2']);
  });
});

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, place) =>
    aMessage({
      id: `n${from + place}`,
      author_type: 'agent',
      created_at: new Date(Date.UTC(2026, 10, 21, 10, from + place)).toISOString(),
    }),
  );
const later = { read_at: '2026-11-21T13:00:00Z' };
const names = (from: number, to: number) => numbered(from, to).map(({ id }) => id);

describe('pages of a conversation', () => {
  function with20to29() {
    const tickets = createTickets();
    tickets.putThread(aThread(numbered(20, 29), { has_earlier: true }));
    return tickets;
  }
  const hasEarlier = (tickets: ReturnType<typeof createTickets>) => tickets.thread('t1')!.has_earlier;

  it('are added before known messages', () => {
    const tickets = with20to29();
    expect(tickets.putThread(aThread(numbered(10, 19), { before: 'n20', has_earlier: true }))).toBe(true);
    expect([ids(tickets), hasEarlier(tickets)]).toEqual([names(10, 29), true]);
    tickets.putThread(aThread(numbered(1, 9), { before: 'n10' }));
    expect([ids(tickets), hasEarlier(tickets)]).toEqual([names(1, 29), false]);
  });

  it('keep a message without a time in the place that the server gave it', () => {
    const tickets = with20to29();
    const page = [...numbered(10, 14), aMessage({ id: 'odd', created_at: null }), ...numbered(15, 19)];
    tickets.putThread(aThread(page, { before: 'n20' }));
    expect(ids(tickets).indexOf('odd')).toBe(5);
  });

  it('that follow known messages are added after them', () => {
    const tickets = with20to29();
    tickets.putThread(aThread(numbered(30, 99), { ...later, after: 'n29', has_earlier: true }));
    expect([ids(tickets), hasEarlier(tickets)]).toEqual([names(20, 99), true]);
  });

  it('that overlap known messages add the new ones in order, and nothing twice', () => {
    const tickets = with20to29();
    const [late] = numbered(28, 28).map((message) => ({ ...message, id: 'late' }));
    const overlap = [...numbered(28, 28), late!, ...numbered(29, 31)];
    tickets.putThread(aThread(overlap, { ...later, after: 'n29', has_earlier: true }));
    expect(ids(tickets)).toEqual([...names(20, 28), 'late', ...names(29, 31)]);
  });

  it('remove an answer that the service has removed, also where only the customer’s own text is before it', () => {
    const tickets = createTickets();
    const own = aMessage({ key: 'key-1' });
    const [wrong, right] = ['m2', 'm3'].map((id) => aMessage({ id, author_type: 'agent' }));
    tickets.putThread(aThread([own, wrong!, right!]));
    tickets.putThread(aThread([own, right!], { read_at: '2026-11-21T13:00:00Z' }));
    expect(tickets.thread('t1')!.messages).toEqual([own, right]);
  });

  it('remove messages within their range that the service has removed, and none outside it', () => {
    const tickets = with20to29();
    const newest = [...numbered(25, 26), ...numbered(28, 30)];
    tickets.putThread(aThread(newest, { ...later, has_earlier: true }));
    expect(ids(tickets)).toEqual([...names(20, 26), ...names(28, 30)]);
  });

  it('keep a message with the time of their first one, which may be just before it', () => {
    const tickets = with20to29();
    const twin = { ...numbered(25, 25)[0]!, id: 'twin' };
    tickets.putMessage(tickets.thread('t1')!, twin);
    tickets.putThread(aThread(numbered(25, 30), { ...later, has_earlier: true }));
    expect(ids(tickets)).toEqual([...names(20, 25), 'twin', ...names(26, 30)]);
  });

  it('that begin after a gap replace known messages', () => {
    const tickets = with20to29();
    tickets.putThread(aThread(numbered(50, 59), { ...later, has_earlier: true }));
    expect([ids(tickets), hasEarlier(tickets)]).toEqual([names(50, 59), true]);
  });

  it.each([{ before: 'n5' }, { after: 'n50' }])('that join no known message are refused: %j', (bound) => {
    const tickets = with20to29();
    expect(tickets.putThread(aThread(numbered(1, 2), { ...later, ...bound }))).toBe(false);
    expect(createTickets().putThread(aThread([], bound))).toBe(false);
    expect(ids(tickets)).toEqual(names(20, 29));
  });

  it('do not begin with a single message that is older than all known ones', () => {
    const tickets = with20to29();
    tickets.putMessage(tickets.thread('t1')!, numbered(3, 3)[0]!);
    tickets.putThread(aThread(numbered(4, 4), { read_at: null }));
    expect([ids(tickets), hasEarlier(tickets)]).toEqual([names(20, 29), true]);
  });

  it('that were made without the service are replaced by those with it', () => {
    const tickets = createTickets();
    tickets.putThread(aThread([aMessage({ id: 'n2' })], { read_at: null }));
    tickets.putThread(aThread(numbered(20, 29), { has_earlier: true }));
    expect([ids(tickets), hasEarlier(tickets)]).toEqual([names(20, 29), true]);
  });
});

describe('a conversation with a gap', () => {
  const own = aMessage({ id: 'own', key: 'k9', created_at: '2026-11-21T12:00:00Z' });

  it('is replaced by the newest page, also if a message of the customer in that page is known', () => {
    const tickets = createTickets();
    tickets.putThread(aThread([...numbered(20, 29), own], { has_earlier: true }));
    tickets.putThread(aThread([...numbered(50, 59), own], { ...later, has_earlier: true }));
    expect(ids(tickets)).toEqual([...names(50, 59), 'own']);
  });

  it('does not continue from a message after the gap', () => {
    const tickets = createTickets();
    tickets.putThread(aThread(numbered(20, 29)));
    expect(tickets.putThread(aThread(numbered(50, 59), { ...later, after: 'n49' }))).toBe(false);
    tickets.putMessage(tickets.thread('t1')!, numbered(60, 60)[0]!);
    expect(tickets.completeUpTo('t1')).toBeNull();
    tickets.putThread(aThread(numbered(30, 60), { ...later, has_earlier: true }));
    expect(ids(tickets)).toEqual(names(30, 60));
  });
});

describe('a conversation that was read', () => {
  it('counts as read, and keeps its earlier pages, while the service is down', () => {
    const tickets = createTickets();
    tickets.putThread(aThread(numbered(1, 99)));
    tickets.putThread(aThread(numbered(99, 99), { read_at: null }));
    expect(tickets.completeUpTo('t1')).toBe('n99');
    tickets.putThread(aThread(numbered(51, 100), { ...later, has_earlier: true }));
    expect(ids(tickets)).toEqual(names(1, 100));
  });

  it('from a BFF without pages is complete', () => {
    const tickets = createTickets();
    const { has_earlier, before, after, ...whole } = aThread(numbered(1, 99));
    expect(tickets.putThread(whole)).toBe(true);
    expect(tickets.thread('t1')).toMatchObject({ has_earlier: false, read_at: whole.read_at });
    expect(ids(tickets)).toEqual(names(1, 99));
  });

  it('keeps the place of a message that changes, even if it is older than those before it', () => {
    const tickets = createTickets();
    const refused = aMessage({ id: null, key: 'k9', state: 'rejected', created_at: '2026-11-20T00:00:00Z' });
    tickets.putThread(aThread([...numbered(20, 29), refused], { has_earlier: true }));
    tickets.putMessage(tickets.thread('t1')!, { ...refused, can_retry: true });
    expect(ids(tickets)).toEqual([...names(20, 29), null]);
  });
});

describe('a conversation continues from', () => {
  const own = aMessage({ id: 'm9', key: 'k9', created_at: '2026-11-21T12:00:00Z' });
  it.each([
    ['the newest answer, since an own message may be here before an earlier answer', [answer, own], 'm2'],
    ['its first message while there is no answer', [aMessage(), own], 'm1'],
    ['nothing while an own message is on its way', [answer, { ...own, state: 'sending' as const }], null],
  ])('%s', (_what, messages, expected) => {
    const tickets = createTickets();
    tickets.putThread(aThread(messages));
    expect(tickets.completeUpTo('t1')).toBe(expected);
  });

  it('nothing while it is not loaded', () => {
    expect(createTickets().completeUpTo('t1')).toBeNull();
  });
});

describe('a conversation', () => {
  it('that was not read later than the known one removes no message that came by an event', () => {
    const tickets = createTickets();
    tickets.putThread(aThread());
    tickets.putThread(aThread([answer]));
    tickets.putThread(aThread());
    expect(ids(tickets)).toEqual(['m1', 'm2']);
    tickets.putThread(aThread([aMessage()], { read_at: '2026-11-21T13:00:00Z' }));
    expect(ids(tickets)).toEqual(['m1']);
  });

  it.each([null, '2026-11-21T10:00:00Z', '2026-11-21T13:00:00Z'])(
    'never sets a message back to an earlier state: read at %s',
    (read_at) => {
      const tickets = createTickets();
      const sent = aMessage({ id: 'm9', key: 'k9' });
      const refused = aMessage({ id: null, key: 'k8', state: 'rejected' });
      tickets.putThread(aThread([sent, refused]));
      const late = [
        aMessage({ id: null, key: 'k9', state: 'sending' }),
        aMessage({ ...refused, state: 'accepted' }),
      ];
      tickets.putThread(aThread(late, { read_at }));
      expect(tickets.thread('t1')!.messages).toEqual([sent, refused]);
    },
  );

  it('keeps its id, and takes all other data from a read by its key', () => {
    const tickets = createTickets();
    tickets.putThread(aThread([aMessage()], { key: 'k1' }));
    const reply = aMessage({ id: null, key: 'k2', state: 'accepted', created_at: '2026-11-21T12:00:00Z' });
    tickets.putThread(aThread([reply], { ...waiting, read_at: null }));
    expect(tickets.thread('k1')).toMatchObject({ id: 't1', state: 'done' });
    expect(tickets.thread('k1')!.messages).toEqual([aMessage(), reply]);
  });
});
