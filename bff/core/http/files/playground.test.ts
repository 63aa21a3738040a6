import { afterEach, describe, expect, it } from 'vitest';
import { startBff, type TestBff } from '../../../testing/bff.ts';

let bff: TestBff | undefined;
const get = async (hasPlayground: boolean, path: string) => {
  bff = await startBff({ hasPlayground });
  return bff.app.request(path);
};
const directive = (response: Response, name: string) =>
  response.headers
    .get('Content-Security-Policy')!
    .split('; ')
    .find((each) => each.startsWith(name));
afterEach(() => bff?.stop());

describe('the playground', () => {
  it.each(['/playground', '/playground/sample'])('is not there unless it was asked for: %s', async (path) => {
    expect((await get(false, path)).status).toBe(404);
  });

  it('lets the frame be shown on its own origin, and only then', async () => {
    const ancestors = 'frame-ancestors https://shop.test https://other.test';
    expect(directive(await get(true, '/frame'), 'frame-ancestors')).toBe(`${ancestors} 'self'`);
    await bff!.stop();
    expect(directive(await get(false, '/frame'), 'frame-ancestors')).toBe(ancestors);
  });

  it('leaves the full page without any ancestor', async () => {
    expect(directive(await get(true, '/'), 'frame-ancestors')).toBe("frame-ancestors 'none'");
  });

  it('runs its own script and style only, and cannot be framed', async () => {
    const response = await get(true, '/playground');
    expect(await response.text()).toBe('playground');
    expect(response.headers.get('Content-Security-Policy')!.split('; ').toSorted()).toEqual([
      "base-uri 'none'",
      "connect-src 'self'",
      "default-src 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "frame-src 'self'",
      'img-src data:',
      "require-trusted-types-for 'script'",
      "script-src 'sha256-script'",
      "style-src 'sha256-style'",
      "trusted-types 'none'",
    ]);
  });

  it('shows its sample site to itself only', async () => {
    const response = await get(true, '/playground/sample');
    expect(await response.text()).toBe('playground-sample');
    expect(directive(response, 'frame-ancestors')).toBe("frame-ancestors 'self'");
    expect(directive(response, 'script-src')).toBe("script-src 'self'");
  });
});
