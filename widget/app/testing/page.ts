import { afterAll, vi } from 'vitest';
import { builtinEnvironments } from 'vitest/runtime';

/** Kept outside this module, which is loaded again for each file of tests. */
const kept = globalThis as { closePage?: (() => Promise<void>) | undefined };

// A test file that cannot be imported does not reach its end, and leaves its page.
await kept.closePage?.();

// A page loads its scripts once, and they have state. This removes the scripts of the last test file.
vi.resetModules();
const page = await builtinEnvironments['happy-dom'].setup(globalThis, {});

kept.closePage = async () => {
  kept.closePage = undefined;
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  await page.teardown(globalThis);
};
afterAll(kept.closePage);
