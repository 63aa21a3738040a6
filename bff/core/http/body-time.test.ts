import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { limitBodyTime } from './body-time.ts';

const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

it('the limit on a body that never ends does not keep the process from ending', () => {
  const before = timers();
  const incoming = Object.assign(new Readable({ read: () => undefined }), {
    headers: { 'content-length': '10' },
  });
  limitBodyTime(incoming, 60_000);
  expect(timers()).toBe(before);
  incoming.destroy();
});
