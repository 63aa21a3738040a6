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

/** The dependencies that come from outside. A test passes its own. */
export interface Outside extends Clock {
  config: Pick<
    Config,
    | 'publicUrl'
    | 'allowedOrigins'
    | 'clientOrigins'
    | 'brand'
    | 'brandColor'
    | 'brandLogo'
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
  /** The file for counts of long limits, where the store is a file, too. Null: in memory. */
  limitsFile: string | null;
  store: Store;
  /** The same store on separate connections, for messages between instances. Without it, `store` is used. */
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
