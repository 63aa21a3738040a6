import { afterEach, expect, it } from 'vitest';
import { gateHeader, paths } from '../../../shared/contract/paths.ts';
import { startBff, type TestBff } from '../../testing/bff.ts';

let bff: TestBff;
afterEach(() => bff.stop());

const warnings = () => bff.logLines.filter((line) => line.includes('TRUST_PROXY'));
const askFile = () => bff.app.request('/widget.js');
const ask = (headers: Record<string, string> = {}) =>
  bff.app.request(paths.session, {
    headers: { [gateHeader]: '1', 'Sec-Fetch-Site': 'same-origin', ...headers },
  });

it('a BFF that trusts no proxy warns once, at the first request of the widget that came through one', async () => {
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

it('a BFF that trusts a proxy warns once, at the first request of the widget without an address', async () => {
  bff = await startBff({ trustedProxies: 2 });
  await askFile();
  await ask({ 'X-Forwarded-For': '203.0.113.1, 203.0.113.2' });
  expect(warnings()).toEqual([]);
  await ask({ 'X-Forwarded-For': '203.0.113.1' });
  await ask();
  expect(warnings()).toEqual([expect.stringContaining('proxy_adds_nothing')]);
});
