import { afterEach, expect, it } from 'vitest';
import { startBff, type TestBff } from '../../testing/bff.ts';

let bff: TestBff;
afterEach(() => bff.stop());

const warnings = () => bff.logLines.filter((line) => line.includes('TRUST_PROXY'));
const ask = (headers: Record<string, string> = {}) => bff.app.request('/widget.js', { headers });

it('a BFF that trusts no proxy warns once, at the first request that came through one', async () => {
  bff = await startBff({ trustedProxies: 0 });
  await ask();
  expect(warnings()).toEqual([]);
  await ask({ 'X-Forwarded-For': '203.0.113.1' });
  await ask({ 'X-Forwarded-For': '203.0.113.2' });
  expect(warnings()).toEqual([expect.stringContaining('"level":40')]);
  expect(warnings()[0]).not.toContain('203.0.113');
});

it('a BFF that trusts a proxy does not warn', async () => {
  bff = await startBff({ trustedProxies: 1 });
  await ask({ 'X-Forwarded-For': '203.0.113.1' });
  expect(warnings()).toEqual([]);
});
