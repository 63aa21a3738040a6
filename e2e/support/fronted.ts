import { started, test as base } from './fixtures.ts';
import { type Front, startFront } from './front.ts';
import { startStack } from './stack.ts';

export type FrontedStack = Awaited<ReturnType<typeof startFrontedStack>>;

/** A stack whose BFF reaches the service through a front that pauses its writes when a test says so. */
export async function startFrontedStack() {
  let front: Front;
  // By default it takes longer than a test should wait until absence at the service counts.
  const env = { UPSTREAM_TIMEOUT_MS: '4000', SETTLE_MS: '5000' };
  const stack = await startStack(env, undefined, async (serviceUrl) => {
    front = await startFront(serviceUrl);
    return front.url;
  });
  const { stop } = stack;
  return Object.assign(stack, {
    front: front!,
    async stop() {
      await stop();
      await front.stop();
    },
  });
}

export const test = base.extend<object, { stack: FrontedStack }>({
  stack: [started(startFrontedStack), { scope: 'worker' }],
});
