import { describe, expect, it } from 'vitest';
import type { Sent } from '../faults/customers/sent.ts';
import { audit, type Evidence } from './audit.ts';
import { delaysOf } from './report.ts';
import type { Happened } from './events.ts';
import { newStreamLog, type StreamLog } from './stream.ts';

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

const customer = (stream: Partial<StreamLog> = {}, foreign: string[] = []) => ({
  sent: [opening],
  stream: { ...newStreamLog(), ...stream },
  foreign,
});
const classesOf = (changes: Partial<Evidence>) =>
  audit({ customers: [customer()], stored: [ticket], answers: [], storeFaults: [], ...changes }).map(
    (line) => line.split(':')[0],
  );

describe('the audit of a cluster run', () => {
  it('finds no fault where all was delivered once', () => {
    expect(classesOf({})).toEqual([]);
  });

  it('tells a lost ticket from one that is there twice', () => {
    expect(new Set(classesOf({ stored: [] }))).toEqual(new Set(['lost']));
    expect(classesOf({ stored: [ticket, { ...ticket, id: 't2' }] })).toEqual(['duplicated']);
  });

  it('reports what was shown to another customer, or half recorded', () => {
    expect(classesOf({ customers: [customer({}, ['another’s'])] })).toEqual(['foreign']);
    expect(classesOf({ storeFaults: ['1 ticket without a holder'] })).toEqual(['store']);
  });

  it('finds an answer that never came', () => {
    expect(classesOf({ answers: [answer] })).toEqual(['unheard']);
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
    expect(classesOf({ answers: [answer], customers: [customer(stream)] })).toEqual(['unheard']);
    const early = { ...stream, lives: [{ port: 1, fromMs: 0, toMs: 105_000 }, lives[1]!] };
    expect(classesOf({ answers: [answer], customers: [customer(early)] })).toEqual([]);
  });

  it('keeps the delays of each kind of event apart', () => {
    const lives = [{ port: 1, fromMs: 0, toMs: Infinity }];
    const stream = { lives, receivedAt: new Map([['a1', 101_500]]), receivedIn: [new Set(['a1'])] };
    const killed = { kind: 'killed' as const, where: 'instance 0', fromMs: 101_000, toMs: 103_000 };
    const away = { kind: 'database away from all' as const, where: '', fromMs: 80_000, toMs: 100_500 };
    const delays = (happened: Happened[] = []) => [...delaysOf([answer], [customer(stream)], happened)];
    expect(delays()).toEqual([['calm', [1_500]]]);
    const by = (event: Omit<Happened, 'port'>, port: number | null) => delays([{ ...event, port }]);
    expect(by(killed, 1)).toEqual([['killed: this instance', [1_500]]]);
    expect(by(killed, 2)).toEqual([['killed: another instance', [1_500]]]);
    expect(by(away, null)).toEqual([['database away from all', [1_500]]]);
    expect(by({ ...away, toMs: 99_000 }, null)).toEqual([['calm', [1_500]]]);
  });
});
