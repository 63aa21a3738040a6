import { beforeEach, describe, expect, it } from 'vitest';
import { v1Thread, v1TicketList } from '../../v1/schema.ts';
import { createListComparison } from './comparison.ts';

let time: number;
let comparison: ReturnType<typeof createListComparison>;
beforeEach(() => {
  time = 0;
  comparison = createListComparison({ elapsed: () => time, freshMs: () => 3_000 });
});

type Fields = { id: string; [field: string]: unknown };
/** Lets a second pass, and processes a list. */
const list = (...entries: Fields[]) => comparison.update(v1TicketList.parse(entries), (time += 1_000));
/** Reads a ticket alone, in no time. */
const read = (fields: Fields, found: 'nothing' | 'change' | 'answer' = 'nothing') =>
  comparison.endRead(fields.id, comparison.beginRead(fields.id), v1Thread.parse(fields), found);

const [a, b] = [{ id: 'a' }, { id: 'b' }];
const later = { id: 'a', updated_at: '2026-01-01T00:00:01Z' };
const latest = { id: 'a', updated_at: '2026-01-01T00:00:02Z' };

describe('a ticket that is compared with the list', () => {
  beforeEach(() => {
    for (const id of ['a', 'b']) comparison.add(id);
    list(a, b);
  });

  it('is read when it was never read and never listed', () => {
    comparison.add('c');
    expect(list(a, b, { id: 'c' })).toEqual(['c']);
  });

  it.each<[string, Fields]>([
    ['the time of its change', later],
    ['its status', { id: 'a', status: 'pending' }],
    ['its priority', { id: 'a', priority: 'high' }],
    ['a field that was missing', { id: 'a', subject: 'Lid' }],
  ])('is read once when %s differs', (_, changed) => {
    expect(list(b, changed)).toEqual(['a']);
    expect(list(b, changed)).toEqual([]);
  });

  it('is not read when only the order differs', () => {
    expect(list(b, a)).toEqual([]);
  });

  it('is not read when nobody watches it', () => {
    comparison.remove('a');
    expect(list(b, later)).toEqual([]);
  });

  it('is not read when a read has found the same fields', () => {
    read(later, 'answer');
    expect(list(later, b)).toEqual([]);
  });

  it('is read when it enters the list, though no field differs', () => {
    list(b);
    expect(list(a, b)).toEqual(['a']);
  });

  it('is compared with its first entry when it is in the list twice', () => {
    expect(list(a, later, b)).toEqual([]);
  });

  it('is not read again and again when its read and the list show different fields', () => {
    read({ ...a, description: 'Only here' });
    expect(list(a, b)).toEqual([]);
    expect(list(later, b)).toEqual(['a']);
    read({ ...later, description: 'Only here' }, 'answer');
    expect(list(later, b)).toEqual([]);
  });
});

describe('a ticket with an answer', () => {
  beforeEach(() => {
    for (const id of ['a', 'b']) comparison.add(id);
    list(a, b);
    read(a);
  });
  const answerShown = () => {
    list(later, b);
    read(later, 'answer');
  };

  it('is not covered before the list has shown an answer', () => {
    expect(comparison.covers('a')).toBe(false);
    list(later, b);
    read(later, 'change');
    expect(comparison.covers('a')).toBe(false);
  });

  it('is covered once the list has shown an answer, while it is in the list', () => {
    answerShown();
    expect(comparison.covers('a')).toBe(true);
    expect(comparison.covers('b')).toBe(true);
    list(b);
    expect(comparison.covers('a')).toBe(false);
  });

  it('is covered when the next list shows the answer that a read has found', () => {
    read(later, 'answer');
    expect(comparison.covers('a')).toBe(false);
    list(later, b);
    expect(comparison.covers('a')).toBe(true);
  });

  it('is not covered by an old list', () => {
    answerShown();
    time += 3_001;
    expect(comparison.covers('a')).toBe(false);
  });

  it('is not covered for ten minutes after a change that the list missed, nor before the list shows another answer', () => {
    answerShown();
    read(later, 'change');
    expect(comparison.covers('b')).toBe(true);
    list(later, b);
    expect(comparison.covers('b')).toBe(false);
    time += 600_000;
    list(later, b);
    expect(comparison.covers('b')).toBe(false);
    list(latest, b);
    read(latest, 'answer');
    expect(comparison.covers('b')).toBe(true);
  });

  it('is not judged by a list that began before the change was found', () => {
    answerShown();
    const begunAt = time;
    time += 100;
    read(later, 'answer');
    comparison.update(v1TicketList.parse([later, b]), begunAt);
    expect(comparison.covers('b')).toBe(true);
  });

  it('does not affect the trust in the list while it is not in the list', () => {
    answerShown();
    list(b);
    read(a, 'change');
    list(b);
    expect(comparison.covers('b')).toBe(true);
  });

  it('has no history when it is watched again', () => {
    answerShown();
    read(later, 'change');
    comparison.remove('a');
    comparison.add('a');
    list(later, b);
    expect(comparison.covers('b')).toBe(true);
  });
});
