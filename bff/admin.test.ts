import { afterEach, beforeEach, expect, it } from 'vitest';
import { createAdmin } from './admin.ts';
import { startBff, type TestBff } from './testing/bff.ts';

let bff: TestBff;
beforeEach(async () => {
  bff = await startBff();
});
afterEach(() => bff.stop());

const ready = async (isStopping = false) => {
  const response = await createAdmin({ ...bff, isStopping: () => isStopping }).request('/readyz');
  return [response.status, (await response.json()).data];
};

it('is ready while the store answers and nobody has asked it to stop', async () => {
  expect(await ready()).toEqual([200, { ready: true, store: true, api_key: true, not_stopping: true }]);
  expect((await ready(true))[0]).toBe(503);
});

it('is not ready while the service refuses every key, and is again when one is taken', async () => {
  bff.service.answer = () => ({ statusCode: 401 });
  await bff.v1.listTickets();
  expect(await ready()).toEqual([503, expect.objectContaining({ ready: false, api_key: false })]);
  bff.service.answer = undefined;
  await bff.v1.listTickets();
  expect((await ready())[0]).toBe(200);
});
