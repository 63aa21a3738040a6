import { afterEach, beforeEach, expect, it } from 'vitest';
import { paths } from '../../../shared/contract/paths.ts';
import { startBff, type TestBff } from '../../testing/bff.ts';
import { valueOf } from '../../testing/metrics.ts';
import { startStreams, type TestStreams, until } from '../../testing/streams.ts';

let bff: TestBff;
let streams: TestStreams;
beforeEach(async () => {
  bff = await startBff();
  streams = await startStreams(bff);
});
afterEach(() => bff.stop());

const value = async (sample: string) => valueOf(await bff.metrics.registry.metrics(), sample);
const delays = () => value('deskside_answer_delay_seconds_count');

it('open streams and watches are shown, and the duration of a stream once it has ended', async () => {
  const ada = bff.browser();
  const { data: ticket } = await ada.openTicket();
  const stream = await streams.listen(ada.cookie, ticket.id);
  await until(async () => expect(await value('deskside_watches')).toBe(1));
  expect(await value('deskside_streams')).toBe(1);
  expect(await value('deskside_stream_duration_seconds_count')).toBe(0);
  await ada.request('DELETE', paths.session);
  await stream.ended;
  await until(async () => expect(await value('deskside_streams')).toBe(0));
  expect(await value('deskside_watches')).toBe(0);
  expect(await value('deskside_stream_duration_seconds_count')).toBe(1);
});

it('the delay of an answer is measured for each stream that receives it, by the clock of the service', async () => {
  bff.service.now = () => bff.now() - 3_600_000;
  const ada = bff.browser();
  const { data: ticket } = await ada.openTicket();
  const both = [await streams.listen(ada.cookie, ticket.id), await streams.listen(ada.cookie, ticket.id)];
  await until(() => expect(bff.v1.serviceNow()).not.toBeNull());
  const answer = bff.service.addMessage(ticket.id, 'agent', 'On its way.');
  answer.created_at = new Date(bff.service.now() - 60_000).toISOString();
  await until(() => expect(both.flatMap(({ of }) => of('message'))).toHaveLength(2));
  expect(await delays()).toBe(2);
  const meanSec = (await value('deskside_answer_delay_seconds_sum'))! / 2;
  expect(meanSec).toBeGreaterThan(50);
  expect(meanSec).toBeLessThan(3_000);
});

it('the delay is not measured for the first messages of a stream, a customer’s message, or a changed answer', async () => {
  const ada = bff.browser();
  const { data: ticket } = await ada.openTicket();
  const old = bff.service.addMessage(ticket.id, 'agent', 'On its way.');
  const stream = await streams.listen(ada.cookie, ticket.id);
  await ada.post(paths.messages(ticket.id), { body: 'Thanks' });
  old.body = 'On its way to you.';
  await until(() => expect(JSON.stringify(stream.of('message'))).toContain('to you'));
  await until(() => expect(JSON.stringify(stream.of('message'))).toContain('Thanks'));
  expect(await delays()).toBe(0);
});
