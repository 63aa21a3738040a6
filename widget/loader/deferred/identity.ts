import { isToken } from '../../bridge/messages.ts';
import { emit } from '../events.ts';
import type { Frame } from '../frame.ts';
import type { Core } from '../guest.ts';

/** Fetches tokens from the site. SECURITY: they stay in memory and are told to the app alone. */
export function createIdentity(core: Core): (frame: Frame) => Promise<void> {
  return async (frame) => {
    const asked = core.proof;
    if (!asked || !frame.isLoaded()) return;
    let token: unknown = asked;
    // A plain token serves once.
    if (typeof asked === 'string') core.proof = undefined;
    else {
      try {
        token = await asked();
      } catch {
        token = null;
      }
      // Another customer, or none, in the meantime.
      if (asked !== core.proof || core.signal.aborted) return;
    }
    if (isToken(token)) frame.send({ type: 'identify', token });
    else {
      frame.send({ type: 'identify_failed' });
      emit('error', { code: 'identify_failed' });
    }
  };
}
