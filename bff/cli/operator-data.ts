import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../clock.ts';
import type { Config } from '../config.ts';
import { createDeliveryModules } from '../deps/delivery.ts';
import { createIdentityModules } from '../deps/identity.ts';
import { createOperatorDataModule } from '../deps/operator-data.ts';
import { createTicketModules } from '../deps/tickets.ts';
import { checkSeal, openStore, storeFileName } from '../store/open.ts';
import { createSeal } from '../store/seal.ts';
import { readSecretKey } from '../store/secret.ts';
import type { OperatorData } from '../use-cases/operator-data.ts';
import { createV1Client } from '../v1/client.ts';
import { createKeyRing } from '../v1/keys.ts';

/**
 * Opens the store for one command, also while the server runs on it. Nothing is sent.
 * @throws when there is no store, or not its secret key
 */
export async function withOperatorData<T>(
  config: Config,
  use: (data: OperatorData) => Promise<T>,
): Promise<T> {
  const { dataDir } = config;
  if (!existsSync(join(dataDir, storeFileName))) throw new Error(`there is no store in ${dataDir}`);
  const secretKey = readSecretKey(config.secretKey, dataDir);
  if (secretKey === null) throw new Error(`the secret key of the store in ${dataDir} is missing`);
  const seal = createSeal(secretKey);
  const store = await openStore({ dataDir });
  try {
    await checkSeal(store, seal);
    const v1 = createV1Client({ ...config.upstream, ...systemClock, keys: createKeyRing(config.upstream) });
    const outside = { config, store, seal, v1, ...systemClock };
    const onError = (error: unknown) => {
      throw error;
    };
    const identity = createIdentityModules({ outside, onError });
    const ticketModules = createTicketModules({ outside, identity, onError });
    const { sends, removal } = createDeliveryModules({
      outside,
      identity,
      ticketModules,
      keepScripts: async () => {},
      onJump: () => {},
      onError,
    });
    return await use(createOperatorDataModule({ outside, identity, ticketModules, sends, removal }));
  } finally {
    await store.destroy();
  }
}
