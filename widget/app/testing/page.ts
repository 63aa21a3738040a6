import { afterAll, vi } from 'vitest';
import { builtinEnvironments } from 'vitest/runtime';

// A page loads its scripts once, and they keep state: what comes from the last file of tests is gone.
vi.resetModules();
const page = await builtinEnvironments['happy-dom'].setup(globalThis, {});
afterAll(async () => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  await page.teardown(globalThis);
});
