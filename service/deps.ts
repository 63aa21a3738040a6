import type { Logger } from 'pino';
import type { Db } from './db/open.ts';
import type { FileStore } from './files/store.ts';

/** The dependencies of the HTTP side; tests pass their own. */
export interface Deps {
  db: Db;
  log: Logger;
  /** Public address of the service, without a trailing slash. */
  publicUrl: string;
  /** The number of our proxies in front. That many entries of `X-Forwarded-For` count, from the right. */
  trustedProxies: number;
  files: FileStore;
  /** Origins of other servers whose pictures the desk shows in place. */
  fileHosts: readonly string[];
  now: () => Date;
  /** Called after a transaction that may have queued webhook deliveries. */
  onEvent: () => void;
}
