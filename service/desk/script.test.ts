import { expect, it } from 'vitest';
import { createTestService } from '../test-service.ts';
import { script, scriptPath } from './script.ts';

it('the desk’s script imports nothing, and is served from the desk’s own origin without a sign-in', async () => {
  // oxlint-disable-next-line no-new-func, typescript/no-implied-eval -- it is parsed here, never run
  expect(() => new Function(script)).not.toThrow();
  expect(script).not.toMatch(/__vi|\bimport\b|\brequire\b/);
  const response = await createTestService().app.request(scriptPath);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(await response.text()).toBe(script);
});
