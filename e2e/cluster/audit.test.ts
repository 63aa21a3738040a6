import { describe, expect, it } from 'vitest';
import type { Sent } from '../faults/customers/sent.ts';
import { audit, type Evidence } from './audit.ts';
import { newStreamLog, type StreamLog } from './stream.ts';

const opening: Sent = {
  key: 'k1',
  email: 'customer0@example.com',
  text: '[c0] question',
  files: [],
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
      { fromMs: 0, toMs: 140_000, received: new Set<string>() },
      { fromMs: 141_000, toMs: Infinity, received: new Set(['a1']) },
    ];
    const stream = { lives, receivedAt: new Map([['a1', 141_000]]) };
    expect(classesOf({ answers: [answer], customers: [customer(stream)] })).toEqual(['unheard']);
    const early = { ...stream, lives: [{ ...lives[0]!, toMs: 105_000 }, lives[1]!] };
    expect(classesOf({ answers: [answer], customers: [customer(early)] })).toEqual([]);
  });
});
