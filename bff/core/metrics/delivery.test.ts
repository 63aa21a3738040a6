import { afterEach, beforeEach, expect, it } from 'vitest';
import { startBff, type TestBff } from '../../testing/bff.ts';
import { connectionRefused } from '../../testing/fake-service.ts';
import { valueOf } from '../../testing/metrics.ts';
import { until } from '../../testing/streams.ts';

let bff: TestBff;
beforeEach(async () => {
  bff = await startBff();
});
afterEach(() => bff.stop());

const value = async (sample: string) => valueOf(await bff.metrics.registry.metrics(), sample);
const ended = (state: string) =>
  value(`deskside_delivery_duration_seconds_count{kind="ticket",state="${state}"}`);

it('the time of a send is measured once it is delivered or refused', async () => {
  await bff.browser().openTicket();
  bff.service.answer = () => ({ statusCode: 422 });
  await bff.browser().openTicket();
  expect(await ended('done')).toBe(1);
  expect(await ended('rejected')).toBe(1);
});

it('the age of the oldest waiting send is shown by state, without delivered ones', async () => {
  const age = (state: string) => value(`deskside_oldest_undelivered_seconds{state="${state}"}`);
  await bff.browser().openTicket();
  bff.service.answer = connectionRefused;
  void bff.browser().openTicket();
  await until(async () => expect(await value('deskside_operations{kind="ticket",state="accepted"}')).toBe(1));
  // It would be tried again, since it is due then.
  await bff.worker.stop();
  bff.clock.setAheadMs = 60_000;
  // A count that took long is used again for a while.
  await until(async () => expect(await age('accepted')).toBeGreaterThanOrEqual(60));
  expect(await age('sending')).toBe(0);
  expect(await age('unknown')).toBe(0);
});
