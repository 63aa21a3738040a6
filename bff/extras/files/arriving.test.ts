import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { arriving } from './upload.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function read(body: PassThrough): Promise<number> {
  let bytes = 0;
  for await (const chunk of arriving(body)) bytes += chunk.length;
  return bytes;
}

it('a body that stalls for 30 s is ended', async () => {
  const body = new PassThrough();
  const failure = read(body).catch((error: unknown) => error);
  body.write('x');
  await vi.advanceTimersByTimeAsync(30_001);
  expect(await failure).toMatchObject({ code: 'invalid_request' });
  expect(body.destroyed).toBe(true);
});

it('a body that drips is ended after ten minutes', async () => {
  const body = new PassThrough();
  const failure = read(body).catch((error: unknown) => error);
  const drip = setInterval(() => body.write('x'), 10_000);
  await vi.advanceTimersByTimeAsync(599_000);
  expect(body.destroyed).toBe(false);
  await vi.advanceTimersByTimeAsync(2_000);
  clearInterval(drip);
  expect(await failure).toMatchObject({ code: 'invalid_request' });
});
