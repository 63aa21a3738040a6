import { isToken } from '../../../bridge/fields.ts';
import { emit } from '../../events.ts';
import type { Frame } from '../../frame.ts';
import type { Core } from '../../deferred.ts';
import { iframeOf } from '../panel/panel.ts';

/**
 * Gets tokens from the site. SECURITY: they stay in memory and are sent to the app only. `isCalled`: the page has called
 * `identify`, so that the frame waits for an answer even if the page gave nothing.
 */
export function createIdentity(core: Core): (frame: Frame, isCalled?: boolean) => Promise<void> {
  return async (frame, isCalled) => {
    const identify = core.proof;
    if (!iframeOf(frame) || !(identify || isCalled)) return;
    // A plain token goes to every frame. The app exchanges it once.
    let token: unknown = identify;
    if (typeof identify === 'function') {
      try {
        token = await identify();
      } catch (error) {
        token = Object(error);
      }
      // The customer has changed or signed out meanwhile.
      if (identify !== core.proof || core.signal.aborted) return;
    }
    // The console says what is wrong with it.
    core.calls.push(['identify', token]);
    if (isToken(token)) frame.send({ type: 'identify', token });
    else {
      frame.send({ type: 'identify_failed' });
      emit('error', { code: 'identify_failed' });
    }
  };
}
