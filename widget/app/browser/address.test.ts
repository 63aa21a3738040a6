import { afterEach, expect, it } from 'vitest';
import { linkedTicket, takeSecret } from './address.ts';

const at = (address: string) => history.replaceState(null, '', address);
afterEach(() => at('/'));

it('the secret of a link to another device is used once, and removed from the address', () => {
  at('/?lang=de#handoff=a_b-c');
  expect(takeSecret()).toBe('a_b-c');
  expect(location.pathname + location.search + location.hash).toBe('/?lang=de');
  expect(takeSecret()).toBeUndefined();
});

it.each([
  ['?ticket=5f0c', '5f0c'],
  ['?lang=de&ticket=T%3A12&utm_source=mail', 'T:12'],
  ['?ticket=..%2Fsession', '../session'],
  ['#ticket=5f0c', '5f0c'],
])('the ticket of %s is found, and found again after a reload', (address, ticket) => {
  at(`/${address}`);
  for (const found of [linkedTicket(), linkedTicket()]) expect(found).toBe(ticket);
});

it.each(['#handoff=1', '#ticket=', '?ticket=', '#x', ''])('%j names no ticket', (address) => {
  at(`/${address}`);
  expect(linkedTicket()).toBeFalsy();
});
