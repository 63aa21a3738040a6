import { isToken } from '../../../bridge/messages.ts';
import { emit } from '../../events.ts';
import type { Frame } from '../../frame.ts';
import type { Core } from '../../deferred.ts';
import { iframeOf } from '../panel/panel.ts';

/** Gets tokens from the site. SECURITY: they stay in memory and are sent to the app only. */
export function createIdentity(core: Core): (frame: Frame) => Promise<void> {
  return async (frame) => {
    const identify = core.proof;
    if (!identify || !iframeOf(frame)) return;
    let token: unknown = identify;
    // A plain token is used once.
    if (typeof identify === 'string') core.proof = undefined;
    else {
      try {
        token = await identify();
      } catch {
        token = null;
      }
      // The customer has changed or signed out meanwhile.
      if (identify !== core.proof || core.signal.aborted) return;
    }
    if (isToken(token)) frame.send({ type: 'identify', token });
    else {
      frame.send({ type: 'identify_failed' });
      emit('error', { code: 'identify_failed' });
    }
  };
}
