import { serve } from '@hono/node-server';
import type { Server } from 'node:http';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import type { Db } from './db/open.ts';
import { createFileStore } from './files/store.ts';
import { startDeliveryWorker } from './webhooks/worker.ts';

/** How long open requests may continue after a stop was requested. */
const graceMs = 5000;

export interface RunningService {
  /** The port it listens on. */
  port: number;
  /** Finishes open requests, stops deliveries and closes the database. */
  stop: () => Promise<void>;
}

/** Listens and delivers webhooks. Rejects when it cannot listen on the address (`EADDRINUSE`, …). */
export async function startService(config: Config, db: Db, log: Logger): Promise<RunningService> {
  const now = () => new Date();
  let wake = () => {};
  const { publicUrl, trustedProxies, fileHosts } = config;
  const files = createFileStore(db, join(config.dataDir, 'files'), config.maxFileBytes);
  const app = createApp({ db, log, publicUrl, trustedProxies, files, fileHosts, now, onEvent: () => wake() });
  const server = serve({ fetch: app.fetch, hostname: config.host, port: config.port }) as Server;
  const port = await new Promise<number>((resolve, reject) => {
    server.once('error', reject);
    server.once('listening', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : config.port);
    });
  });
  // Only the process that has the port may deliver: two processes on one file would send twice.
  const worker = startDeliveryWorker({ db, log, now });
  wake = worker.wake;
  return {
    port,
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      const cutOff = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearTimeout(cutOff);
      await worker.stop();
      db.close();
    },
  };
}
