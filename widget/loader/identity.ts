import { isToken } from '../bridge/messages.ts';
import { emit } from './events.ts';
import type { Frame } from './frame.ts';
import { readUse, rememberUse } from './used.ts';

/** A token that the site's server signed, or a function that gets a fresh one. */
export type Proof = string | (() => Promise<string>);

export interface Identity {
  identify: (proof: Proof) => void;
  logout: () => void;
  /** Sends a fresh token to the app, if the site has said who its customer is. */
  renew: () => Promise<void>;
}

/** Who the site says its customer is. SECURITY: tokens stay in memory and are told to the app alone. */
export function createIdentity(frame: Frame, signal: AbortSignal): Identity {
  let proof: Proof | undefined;

  async function renew() {
    const asked = proof;
    if (!asked) return;
    let token: unknown = asked;
    // A plain token serves once.
    if (typeof asked === 'string') proof = undefined;
    else {
      try {
        token = await asked();
      } catch {
        token = null;
      }
      // Another customer, or none, in the meantime.
      if (asked !== proof || signal.aborted) return;
    }
    if (isToken(token)) frame.send({ type: 'identify', token });
    else emit('error', { code: 'identify_failed' });
  }

  return {
    identify(given) {
      proof = given;
      if (frame.isLoaded()) void renew();
    },
    logout() {
      proof = undefined;
      frame.send({ type: 'logout' });
      if (readUse()) {
        // The page may be left before the session has ended: the next one then ends it.
        rememberUse('logout');
        frame.warm();
      }
    },
    renew,
  };
}
