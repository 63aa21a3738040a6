import { expect, it } from 'vitest';
import { v1TicketList } from '../../v1/schema.ts';
import { createListChanges } from './list-changes.ts';

const day = (nth: number) => `2026-01-0${nth}T00:00:00.000Z`;
const listOf = (...tickets: [id: string, updatedAt: string][]) =>
  v1TicketList.parse(tickets.map(([id, updated_at]) => ({ id, updated_at })));

it('the first list shows no changes, since there is none to compare it with', () => {
  expect(createListChanges().update(listOf(['a', day(1)]))).toEqual([]);
});

it('a ticket has changed when its entry has changed or is new in the list', () => {
  const changes = createListChanges();
  changes.update(listOf(['a', day(1)], ['b', day(1)]));
  expect(changes.update(listOf(['c', day(1)], ['b', day(2)], ['a', day(1)]))).toEqual(['c', 'b']);
  expect(changes.update(listOf(['b', day(2)], ['a', day(1)]))).toEqual([]);
});

it('the first list after a gap shows no changes', () => {
  const changes = createListChanges();
  changes.update(listOf(['a', day(1)]));
  changes.forget();
  expect(changes.update(listOf(['a', day(2)]))).toEqual([]);
});
