import { describe, expect, it } from 'vitest';
import type { Sent } from '../../faults/customers/sent.ts';
import { audit, type Evidence } from './audit.ts';
import type { Happened } from '../events.ts';
import { newStreamLog, type StreamLog } from '../stream.ts';

const opening: Sent = {
  key: 'k1',
  email: 'customer0@example.com',
  text: '[c0] question',
  opening: null,
  subject: '[c0] subject',
  told: ['done'],
  wasUndecided: false,
  end: 'done',
  refusal: null,
  ticketId: 't1',
  messageId: null,
};
const ticket = {
  id: 't1',
  email: opening.email,
  subject: opening.subject,
  description: opening.text,
  messages: [],
};
const answer = { customer: 0, messageId: 'a1', atMs: 100_000 };

const evidence = (
  changes: Partial<Evidence> & { stream?: Partial<StreamLog>; foreign?: string[] },
): Evidence => {
  const { stream, foreign = [], ...rest } = changes;
  const customer = { number: 0, sent: [opening], stream: { ...newStreamLog(), ...stream }, foreign };
  return {
    customers: [customer],
    stored: [ticket],
    answers: [],
    happened: [],
    storeFaults: [],
    crashes: [],
    ...rest,
  };
};
const faultsOf = (changes: Parameters<typeof evidence>[0]) =>
  Object.entries(audit(evidence(changes)).faults).flatMap(([name, lines]) => lines.map(() => name));

describe('the audit of a cluster run', () => {
  it('finds no fault where all was delivered once', () => {
    expect(faultsOf({})).toEqual([]);
  });

  it('tells a lost ticket from one that is there twice', () => {
    expect(new Set(faultsOf({ stored: [] }))).toEqual(new Set(['lost']));
    expect(faultsOf({ stored: [ticket, { ...ticket, id: 't2' }] })).toEqual(['duplicated']);
  });

  it('reports what was shown to another customer, half recorded, or crashed', () => {
    expect(faultsOf({ foreign: ['another’s'] })).toEqual(['foreign']);
    expect(faultsOf({ storeFaults: ['1 ticket without a holder'] })).toEqual(['store']);
    expect(faultsOf({ crashes: ['instance 0 ended by itself'] })).toEqual(['crashed']);
  });

  it('finds an answer that never came', () => {
    expect(faultsOf({ answers: [answer] })).toEqual(['unheard']);
  });

  it('finds an answer that the open stream left out, although a later stream brought it', () => {
    const lives = [
      { port: 1, fromMs: 0, toMs: 140_000 },
      { port: 2, fromMs: 141_000, toMs: Infinity },
    ];
    const stream = {
      lives,
      receivedAt: new Map([['a1', 141_000]]),
      receivedIn: [new Set<string>(), new Set(['a1'])],
    };
    expect(faultsOf({ answers: [answer], stream })).toEqual(['unheard']);
    const early = { ...stream, lives: [{ port: 1, fromMs: 0, toMs: 105_000 }, lives[1]!] };
    expect(faultsOf({ answers: [answer], stream: early })).toEqual([]);
  });

  it('keeps the delays of each kind of event apart', () => {
    const lives = [{ port: 1, fromMs: 0, toMs: Infinity }];
    const stream = { lives, receivedAt: new Map([['a1', 101_500]]), receivedIn: [new Set(['a1'])] };
    const killed = { kind: 'killed' as const, where: 'instance 0', fromMs: 101_000, toMs: 103_000 };
    const away = { kind: 'database away from all' as const, where: '', fromMs: 80_000, toMs: 100_500 };
    const delaysOf = (more: Partial<Evidence>) => [
      ...audit(evidence({ answers: [answer], stream, ...more })).delays,
    ];
    expect(delaysOf({})).toEqual([['calm', [1_500]]]);
    const by = (event: Omit<Happened, 'port'>, port: number | null) =>
      delaysOf({ happened: [{ ...event, port }] });
    expect(by(killed, 1)).toEqual([['killed: this instance', [1_500]]]);
    expect(by(killed, 2)).toEqual([['killed: another instance', [1_500]]]);
    expect(by(away, null)).toEqual([['database away from all', [1_500]]]);
    expect(by({ ...away, toMs: 99_000 }, null)).toEqual([['calm', [1_500]]]);
  });
});
