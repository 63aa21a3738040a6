import type { AddressInfo } from 'node:net';
import { type DestinationStream, pino } from 'pino';
import type { ErrorCode } from '../../../shared/contract/errors.ts';
import { type AppError, LoggableError } from '../errors.ts';
import { logLines, createSampler } from './sampler.ts';
import { type LogCode, logCodes, type ServerErrorCode } from './codes.ts';
import { safeError } from './safe-error.ts';

type Address = AddressInfo | string | null;

/** All fields that a line may have beside its code. SECURITY: nothing of a customer, no token, no key. */
interface LogFields {
  /** Written without the message, unless the error is our own. */
  err?: unknown;
  address?: Address;
  admin?: Address;
  public_url?: string;
  /** The names of the further sites. */
  sites?: readonly string[];
  signal?: NodeJS.Signals;
  /** A file on this machine. */
  file?: string;
  ahead_ms?: number;
  /** How many attributes of a token. */
  attributes?: number;
  /** How many operations. */
  sends?: number;
  /** Of a variable, and of the setting that was probably meant. */
  name?: string;
  meant?: string;
  /** How many rows, by what they are. */
  removed?: Record<string, number>;
  method?: 'GET' | 'POST';
  status?: number | undefined;
  cause?: string;
  failure?: { kind: string; reason?: string; status?: number; retryAfterMs?: number } | null;
}

interface RequestFields {
  request_id: string;
  method: string;
  /** The pattern of the route. */
  route: string;
  status: number;
  ms: number;
}

/**
 * The log of the process, as JSON lines. A line at `warn` or above has a code from `codes.ts` and says what to do.
 */
export interface Log {
  /** A step in the life of the process. It is never left out, so clients must not be able to cause it. */
  info(says: string, fields?: LogFields): void;
  /** A line that operators should know of, at the level of its code. */
  report(code: LogCode, fields?: LogFields): void;
  /** The one line of a request. `failure` is the error that it was answered with. */
  request(fields: RequestFields, failure: AppError | undefined): void;
  /** Writes now how many lines were left out. */
  flush(): void;
}

const isServerError = (code: ErrorCode): code is ServerErrorCode => code in logCodes;

/**
 * In a flood, only some lines of each kind are written in a minute (`bff/core/log/sampler.ts`). Then one line with
 * `left_out` counts the rest.
 * @param level the lowest level that is written
 * @param site the name of the site whose log it is, if it is not the main one
 */
export function createLog(level: string, destination?: DestinationStream, site?: string): Log {
  const base = { service: 'bff', ...(site && { site }) };
  const options = { level, base, serializers: { err: safeError } };
  const out = destination ? pino(options, destination) : pino(options);
  const sampler = createSampler(logLines.windowMs);

  function report(code: LogCode, fields: object, kind: string, of: object): void {
    const { level: ofCode, says, fix } = logCodes[code];
    if (!out.isLevelEnabled(ofCode)) return;
    const onLeftOut = (count: number) =>
      out[ofCode]({ code, fix, ...of, left_out: count }, `${says}: more such lines were left out`);
    if (sampler.admits(kind, logLines.perCode, onLeftOut)) out[ofCode]({ code, fix, ...fields }, says);
  }

  return {
    info: (says, fields = {}) => out.info(fields, says),

    report: (code, fields = {}) => report(code, fields, code, {}),

    request(fields, failure) {
      const { route, status } = fields;
      const code = failure?.code;
      const isError = code !== undefined && isServerError(code);
      if (!isError && !out.isLevelEnabled('info')) return;
      const kind = `${route} ${status} ${code}`;
      if (isError) return report(code, { ...fields, err: failure?.cause }, kind, { route, status });
      const reason = failure?.cause instanceof LoggableError ? failure.cause.message : undefined;
      const onLeftOut = (count: number) =>
        out.info({ route, status, code, left_out: count }, 'request: more such lines were left out');
      if (sampler.admits(kind, logLines.perRequestKind, onLeftOut))
        out.info({ ...fields, code, reason }, 'request');
    },

    flush: sampler.endWindow,
  };
}

/**
 * Logs uncaught errors, which still end the process, and the output of libraries. Otherwise they would be printed with
 * all their content.
 */
export function logUnexpected(log: Log): void {
  process.on('uncaughtException', (err) => {
    log.report('crashed', { err });
    process.exit(1);
  });
  const report = (err: unknown) => log.report('library_error', { err });
  // For example Hono's server adapter prints answers that could not be written, or whose client has gone.
  Object.assign(console, { error: report, warn: report, info: () => {}, log: () => {} });
}
