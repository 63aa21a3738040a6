import { type Api, type ClientOptions, createClient } from '../api/client.ts';
import { failure } from '../api/result.ts';
import { createToken } from '../api/token.ts';
import type { JoinTabs } from '../live/live.ts';
import { type Clock, systemClock } from './clock.ts';
import { fetchBff, type Lock, newUuid, tabLock } from './page.ts';
import { createStore, type Store } from './storage.ts';
import { joinTabs } from './tabs.ts';

/** What the models need of the browser; tests have their own. */
export interface Browser {
  /** The requests to the BFF. */
  connect: (session: Pick<ClientOptions, 'owner' | 'renew'>) => Api;
  clock: Clock;
  storage: Store;
  lock: Lock;
  /** Finds the other tabs that the customer has open here. */
  join: JoinTabs;
  newKey: () => string;
}

export const browser: Browser = {
  connect: ({ owner, renew }) =>
    createClient({
      send: fetchBff,
      token: createToken(createStore(() => sessionStorage)),
      owner,
      renew,
      readStream: (stream) =>
        import('../api/stream.ts').then(
          ({ readStream }) => readStream(stream),
          () => failure('network').error,
        ),
      solve: (challenge) =>
        import('../api/proof.ts').then(
          ({ solveProof }) => solveProof(challenge),
          () => null,
        ),
    }),
  clock: systemClock,
  storage: createStore(() => localStorage),
  lock: tabLock,
  join: joinTabs,
  newKey: newUuid,
};
