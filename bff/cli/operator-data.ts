import { createDeliveryModules } from '../deps/delivery.ts';
import { createNoticeRecords } from '../deps/notice-records.ts';
import { createIdentityModules } from '../deps/identity.ts';
import { createOperatorDataModule } from '../deps/operator-data.ts';
import { createTicketModules } from '../deps/tickets.ts';
import { createMetrics } from '../metrics/metrics.ts';
import type { OperatorData } from '../use-cases/operator-data.ts';
import { noTracer } from '../tracing/tracer.ts';
import { createV1Client } from '../v1/client.ts';
import { createKeyRing } from '../v1/keys.ts';
import type { Cli } from './command.ts';
import { withStore } from './open-store.ts';

function rethrow(error: unknown): never {
  throw error;
}

/** Opens the store for one command, also while the server runs. Nothing is sent. */
export const withOperatorData = <T>(cli: Cli, use: (data: OperatorData) => Promise<T>): Promise<T> =>
  withStore(cli, async ({ config, store, seal, clock }) => {
    const v1 = createV1Client({ ...config.upstream, ...clock, keys: createKeyRing(config.upstream) });
    const outside = { config, store, seal, v1, metrics: createMetrics(), tracer: noTracer, ...clock };
    const identity = createIdentityModules({ outside, onError: rethrow });
    const noticeRecords = createNoticeRecords({ outside, identity });
    const ticketModules = createTicketModules({
      outside,
      identity,
      noticeRecords,
      // These commands read no tickets.
      onCustomerChange: async () => {},
      onError: rethrow,
    });
    const { sends, removal } = createDeliveryModules({
      outside,
      identity,
      ticketModules,
      noticeRecords,
      keepScripts: async () => {},
      onJump: () => {},
      onError: rethrow,
      onChoreError: rethrow,
    });
    return use(createOperatorDataModule({ outside, identity, ticketModules, sends, removal }));
  });
