import { expect, it } from 'vitest';
import { customersIn, eventKinds, markerOf, nameOfCustomer, planCustomers, planEvents } from './plan.ts';

it('the same seed plans the same events and customers, and another seed plans different ones', () => {
  expect(planEvents(1, 3, 2)).toEqual(planEvents(1, 3, 2));
  expect(planEvents(1, 3, 2)).not.toEqual(planEvents(2, 3, 2));
  expect(planCustomers(1, 5, 120_000)).toEqual(planCustomers(1, 5, 120_000));
  expect(planCustomers(1, 5, 120_000)).not.toEqual(planCustomers(2, 5, 120_000));
});

it('each round of events has every kind once', () => {
  const kinds = planEvents(7, 3, 2).map(({ kind }) => kind);
  expect(new Set(kinds.slice(0, eventKinds.length))).toEqual(new Set(eventKinds));
  expect(new Set(kinds.slice(eventKinds.length))).toEqual(new Set(eventKinds));
});

it('every text of a customer names that customer only', () => {
  for (const [number, { email, tickets }] of planCustomers(3, 12, 120_000).entries()) {
    const texts = tickets.flatMap(({ subject, text, replies }) => [
      subject,
      text,
      ...replies.map((reply) => reply.text),
    ]);
    for (const text of [email, ...texts]) expect(customersIn(text)).toEqual(new Set([number]));
  }
});

it('customers are found by marker and by address, each once', () => {
  expect(customersIn(`${markerOf(4)} ${markerOf(17)} ${nameOfCustomer(4)}`)).toEqual(new Set([4, 17]));
  expect(customersIn('no customer')).toEqual(new Set());
});
