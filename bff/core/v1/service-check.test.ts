import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { canaryKey, startBff, type TestBff } from '../../testing/bff.ts';
import type { Reply } from '../../testing/fake-service.ts';
import { createServiceCheck, type ServiceCheck } from './service-check.ts';

interface Line {
  /** The code of the line, or its text for an info line. */
  told: string;
  cause?: string;
}

let bff: TestBff;
let lines: Line[];
const checks: ServiceCheck[] = [];
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  bff = await startBff();
  lines = [];
});
afterEach(async () => {
  for (const check of checks.splice(0)) check.stop();
  vi.useRealTimers();
  await bff.stop();
});

const write = (told: string, fields: object = {}) => void lines.push({ told, ...fields });

/** Creates a check as each process on this store does. */
function newCheck(url = bff.service.url) {
  const check = createServiceCheck({
    v1: bff.v1,
    store: bff.store,
    url,
    now: bff.now,
    log: { info: write, report: write },
    onError: (error) => expect.fail(String(error)),
  });
  checks.push(check);
  return check;
}

const failed = (code: string) => Object.assign(new Error('failed'), { code });
const secret = 'canary of the body';
const answers: [string, Reply | Error, string | null][] = [
  ['401', { statusCode: 401, data: secret }, 'key'],
  ['403', { statusCode: 403, data: secret }, 'key'],
  ['404', { statusCode: 404, data: secret }, 'path'],
  ['a redirect', { statusCode: 302, headers: { location: 'https://elsewhere.test/' } }, 'path'],
  ['a page', { statusCode: 200, data: `<html>${secret}` }, 'path'],
  ['other JSON', { statusCode: 200, data: JSON.stringify({ data: secret }) }, 'path'],
  ['nobody listening', failed('ECONNREFUSED'), 'address'],
  ['an unknown name', failed('ENOTFOUND'), 'address'],
  ['silence', failed('UND_ERR_HEADERS_TIMEOUT'), 'address'],
  ['503', { statusCode: 503, data: secret }, 'outage'],
  ['429', { statusCode: 429, data: secret }, null],
];

describe('the check of the ticket service', () => {
  it.each(answers)(
    'after %s names what is to be mended, and nothing of the answer',
    async (_, reply, cause) => {
      bff.service.answer = () => reply;
      const check = newCheck();
      await check.ask();
      const { isUsable, problem } = check.state();
      expect([isUsable, problem?.cause ?? null]).toEqual([cause === null, cause]);
      const expected = cause
        ? { told: `service_problem_${cause}`, cause }
        : { told: 'the ticket service can be used' };
      expect(lines).toEqual([expect.objectContaining(expected)]);
      const told = JSON.stringify([lines, check.state()]);
      expect(told).not.toContain(secret);
      expect(told).not.toContain(canaryKey);
    },
  );

  it('reports no success before the first answer', () => {
    expect(newCheck().state()).toEqual({ isUsable: false, problem: null });
  });

  it('reads one ticket at the start, and again about every minute', async () => {
    const check = newCheck();
    check.start();
    const asked = () => bff.service.calls.filter(({ path }) => path === '/api/v1/tickets?limit=1').length;
    expect(asked()).toBe(1);
    // The store does not use the timers of this test.
    await expect.poll(() => check.state().isUsable).toBe(true);
    await vi.advanceTimersByTimeAsync(47_000);
    expect(asked()).toBe(1);
    await vi.advanceTimersByTimeAsync(26_000);
    expect(asked()).toBe(2);
    await vi.advanceTimersByTimeAsync(20 * 60_000);
    expect(asked()).toBeGreaterThan(14);
    expect(asked()).toBeLessThan(30);
  });

  it('logs each new problem once, and its end', async () => {
    const check = newCheck();
    await check.ask();
    bff.service.answer = () => ({ statusCode: 401 });
    await check.ask();
    await check.ask();
    bff.service.answer = () => ({ statusCode: 404 });
    await check.ask();
    bff.service.answer = undefined;
    await check.ask();
    await check.ask();
    expect(lines.map(({ told, cause }) => [told, cause])).toEqual([
      ['the ticket service can be used', undefined],
      ['service_problem_key', 'key'],
      ['service_problem_path', 'path'],
      ['the ticket service can be used again', 'path'],
    ]);
    expect(check.state()).toEqual({ isUsable: true, problem: null });
  });

  it('treats a service that has worked before as one that is only away, also after a restart', async () => {
    await newCheck().ask();
    bff.service.answer = () => failed('ECONNREFUSED');
    const restarted = newCheck();
    await restarted.ask();
    expect(restarted.state()).toMatchObject({ isUsable: true, problem: { cause: 'address' } });
    const elsewhere = newCheck('https://mistyped.test');
    await elsewhere.ask();
    expect(elsewhere.state()).toMatchObject({ isUsable: false, problem: { cause: 'address' } });
  });

  it('reports nothing about a call that was aborted by a stop', async () => {
    const check = newCheck();
    bff.service.answer = () => failed('UND_ERR_DESTROYED');
    const asking = check.ask();
    check.stop();
    await asking;
    expect(lines).toEqual([]);
  });
});
