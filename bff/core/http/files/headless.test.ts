import { afterEach, expect, it } from 'vitest';
import { startBff, type TestBff } from '../../../testing/bff.ts';

let bff: TestBff | undefined;
const get = async (clientOrigins: string[]) => {
  bff = await startBff({ clientOrigins });
  return bff.app.request('/headless');
};
afterEach(() => bff?.stop());

it('without a site that may read its customers’ tickets, there is no headless frame [browser-35]', async () => {
  expect((await get([])).status).toBe(404);
});

it('the headless frame may be framed by those sites alone, not by all that show the widget [browser-36]', async () => {
  const response = await get(['https://app.test']);
  expect(await response.text()).toBe('headless');
  const policy = response.headers.get('Content-Security-Policy')!.split('; ');
  expect(policy).toContain('frame-ancestors https://app.test');
  expect(policy).toContain("script-src 'self'");
  expect(response.headers.get('Cross-Origin-Embedder-Policy')).toBe('require-corp');
});
