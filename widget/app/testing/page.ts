import { afterAll, vi } from 'vitest';
import { builtinEnvironments } from 'vitest/runtime';

/** Kept outside this module, which is loaded again for each file of tests. */
const kept = globalThis as { closePage?: (() => Promise<void>) | undefined };

// A file of tests that cannot be imported does not get to its end, and leaves its page.
await kept.closePage?.();

// A page loads its scripts once, and they keep state: what comes from the last file of tests is gone.
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
