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
  ])('that %s does not wait again by a word that comes late', (_what, known) => {
    const tickets = createTickets();
    tickets.put(known);
    tickets.put(waiting);
    expect(tickets.list.value).toEqual([known]);
    tickets.keep([waiting]);
    tickets.put(waiting);
    expect(tickets.list.value).toEqual([known]);
  });

  it('that is waiting takes every later word', () => {
    const tickets = createTickets();
    for (const state of ['sending', 'unknown', 'accepted', 'done'] as const) {
      tickets.put({ ...waiting, state });
      expect(tickets.list.value).toMatchObject([{ state }]);
    }
  });

  it('does not stand for the list while that is not known', () => {
    const tickets = createTickets();
    tickets.put(waiting);
    expect(tickets.isLoaded.value).toBe(false);
    tickets.keep([]);
    expect(tickets.isLoaded.value).toBe(true);
    expect(tickets.list.value).toEqual([]);
  });

  it('that the list has dropped takes its conversation with it', () => {
    const tickets = createTickets();
    tickets.putThread(aThread());
    tickets.keep([]);
    expect(tickets.thread('t1')).toBeUndefined();
  });
});

describe('a conversation', () => {
  it('that was read no later than the one here takes away no message that came by an event', () => {
    const tickets = createTickets();
    tickets.putThread(aThread());
    tickets.putThread(aThread([answer]));
    tickets.putThread(aThread());
    expect(ids(tickets)).toEqual(['m1', 'm2']);
    tickets.putThread(aThread([aMessage()], { read_at: '2026-11-21T13:00:00Z' }));
    expect(ids(tickets)).toEqual(['m1']);
  });

  it.each([null, '2026-11-21T10:00:00Z', '2026-11-21T13:00:00Z'])(
    'takes no message back to an earlier state, read at %s',
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

  it('keeps its id, and takes what else a read by its key brings', () => {
    const tickets = createTickets();
    tickets.putThread(aThread([aMessage()], { key: 'k1' }));
    const held = aMessage({ id: null, key: 'k2', state: 'accepted', created_at: '2026-11-21T12:00:00Z' });
    tickets.putThread(aThread([held], { ...waiting, read_at: null }));
    expect(tickets.thread('k1')).toMatchObject({ id: 't1', state: 'done' });
    expect(tickets.thread('k1')!.messages).toEqual([aMessage(), held]);
  });
});
