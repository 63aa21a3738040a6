import type { Articles } from '../articles/articles.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Log } from '../log/log.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Store } from '../store/open.ts';
import type { ScriptBodies } from '../store/records/scripts.ts';
import type { Seal } from '../store/seal.ts';
import type { Tracer } from '../tracing/tracer.ts';
import type { V1Client } from '../v1/client.ts';

/** What the BFF gets from outside; a test passes its own. */
export interface Outside extends Clock {
  config: Pick<
    Config,
    | 'publicUrl'
    | 'allowedOrigins'
    | 'clientOrigins'
    | 'brand'
    | 'identity'
    | 'mail'
    | 'notifications'
    | 'replyTime'
    | 'form'
    | 'schedule'
    | 'hasConfirmations'
    | 'webhookSecrets'
    | 'trustedProxies'
    | 'pow'
    | 'limits'
    | 'retention'
    | 'hasFooter'
    | 'settleMs'
    | 'leaseMs'
    | 'watchActiveMs'
    | 'watchIdleMs'
    | 'readsPerSecond'
    | 'hasPlayground'
  >;
  /** The file in which long limits are counted where the store is a file, too; null: in memory. */
  limitsFile: string | null;
  store: Store;
  /** The same on connections of its own, for what instances tell each other; without it, `store` is used. */
  instanceStore?: Store;
  /** The content-addressed scripts of this build, by name. */
  ownScripts: ReadonlyMap<string, { bodies: ScriptBodies }>;
  /** The operator's articles; null where there are none. */
  articles: Articles | null;
  /** Null without a mail server. */
  mailer: Mailer | null;
  seal: Seal;
  v1: V1Client;
  metrics: Metrics;
  tracer: Tracer;
  log: Log;
}

export type OnError = (error: unknown) => void;
