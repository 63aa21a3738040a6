import { afterEach, beforeEach, expect, it } from 'vitest';
import { startBff, type TestBff } from '../../testing/bff.ts';
import { createRemoval } from './removal.ts';

let bff: TestBff;
beforeEach(async () => {
  bff = await startBff();
});
afterEach(() => bff.stop());

it('a customer with many sends is removed in steps, and requests are served in between', async () => {
  const customer = bff.browser();
  for (let n = 0; n < 3; n += 1) await customer.openTicket();
  const { id } = await bff.store.selectFrom('subjects').select('id').executeTakeFirstOrThrow();
  const countSends = async () => (await bff.store.selectFrom('operations').selectAll().execute()).length;
  const leftAtPauses: number[] = [];
  const removal = createRemoval({
    ...bff,
    limit: 1,
    pause: async () => {
      leftAtPauses.push(await countSends());
    },
  });
  expect(await removal.removeSubject(id, 'keep')).toEqual({ tickets: 3, undelivered: 0, colleagues: [] });
  expect([leftAtPauses, await countSends()]).toEqual([[2, 1, 0], 0]);
});
