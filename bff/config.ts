import { z } from 'zod';
import type { LogCode } from './log/codes.ts';
import { readSettings } from './setting-files.ts';
import {
  databaseUrl,
  days,
  duration,
  formFile,
  folder,
  hexColor,
  httpUrl,
  imageUrl,
  isPrivate,
  limit,
  list,
  onOff,
  origin,
  port,
  publicKey,
  replyTime,
  smtpUrl,
  supportHours,
  webhookSecret,
  wholeNumber,
} from './setting-values.ts';
import type { StorePlace } from './store/open.ts';
import { minSecretLength } from './store/secret.ts';
import { headerList, sampleRatio, tracingSettings } from './tracing/settings.ts';
import { isKeyList, parseKeys } from './v1/keys.ts';

type Environment = Record<string, string | undefined>;

/** Rules on several variables are checked even if one of them is invalid, so that all errors are reported at once. */
const always = () => true;

const schema = z
  .object({
    SUPPORT_API_URL: httpUrl,
    SUPPORT_API_KEY: z.string().refine(isKeyList, 'must be one or two keys of printable ASCII').optional(),
    SUPPORT_API_KEY_FILE: z.string().min(1).optional(),
    ALLOWED_ORIGINS: list.pipe(z.array(origin).min(1, 'must name at least one origin')),
    CLIENT_ORIGINS: list.pipe(z.array(origin)).default([]),
    PUBLIC_URL: httpUrl.refine((url) => new URL(url).pathname === '/', 'must have no path').optional(),
    HOST: z.string().min(1).default('127.0.0.1'),
    PORT: port(4000),
    ADMIN_PORT: port(4100),
    DATA_DIR: z.string().min(1).default('.data/bff'),
    DATABASE_URL: databaseUrl.optional(),
    DATABASE_NOTIFY_URL: databaseUrl.optional(),
    SECRET_KEY: z
      .string()
      .min(minSecretLength, `must be at least ${minSecretLength} characters of random text`)
      .optional(),
    BRAND_NAME: z.string().min(1).max(80).optional(),
    BRAND_COLOR: hexColor.optional(),
    BRAND_LOGO: imageUrl.optional(),
    SUPPORT_HOURS: supportHours.optional(),
    REPLY_TIME: replyTime.optional(),
    FORM_FILE: formFile.optional(),
    ARTICLES_DIR: folder.optional(),
    IDENTITY_SECRET: z.string().min(32, 'must be at least 32 bytes of random text').optional(),
    IDENTITY_JWKS_URL: httpUrl
      .refine(isPrivate, 'must be https, or keys could be changed on the way')
      .optional(),
    IDENTITY_PUBLIC_KEY: publicKey.optional(),
    IDENTITY_AUDIENCE: z.string().min(1).optional(),
    SMTP_URL: smtpUrl.optional(),
    MAIL_FROM: z.string().regex(/@/, 'must contain an address').optional(),
    NOTIFY_EMAIL: onOff('off'),
    NOTIFY_AFTER_MS: duration(300_000, 1, 86_400_000),
    CONFIRM_EMAIL: onOff('off'),
    WEBHOOK_SECRET: list
      .pipe(z.array(webhookSecret).min(1).max(2, 'must be one secret for the path, and one for signatures'))
      .optional(),
    TRUST_PROXY: wholeNumber.pipe(z.number().max(10)).default(0),
    POW: z.enum(['off', 'auto', 'on']).default('auto'),
    LIMIT_TICKETS_PER_SESSION: limit(5),
    LIMIT_TICKETS_PER_IP: limit(10),
    LIMIT_TICKETS_PER_ADDRESS: limit(3),
    LIMIT_MESSAGES_PER_SESSION: limit(20),
    LIMIT_REQUESTS_PER_IP: limit(600),
    LIMIT_STREAMS_PER_IP: limit(60),
    RETENTION_REJECTED_DAYS: days(30),
    RETENTION_UNDECIDED_DAYS: days(30),
    RETENTION_UNVISITED_DAYS: days(365),
    TICKET_FOOTER: onOff('on'),
    SETTLE_MS: duration(600_000, 1, 86_400_000),
    UPSTREAM_TIMEOUT_MS: duration(10_000, 100, 120_000),
    WATCH_ACTIVE_MS: duration(2_000, 100, 600_000),
    WATCH_IDLE_MS: duration(15_000, 100, 3_600_000),
    UPSTREAM_READS_PER_S: wholeNumber.pipe(z.number().min(1).max(1_000)).default(20),
    PLAYGROUND: onOff('off'),
    LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
    OTEL_EXPORTER_OTLP_HEADERS: headerList.optional(),
    OTEL_SERVICE_NAME: z.string().min(1).max(80).default('deskside-bff'),
    OTEL_TRACES_SAMPLER_ARG: sampleRatio.default(1),
  })
  .refine((env) => !env.SUPPORT_API_KEY !== !env.SUPPORT_API_KEY_FILE, {
    path: ['SUPPORT_API_KEY'],
    error: 'set either SUPPORT_API_KEY or SUPPORT_API_KEY_FILE',
    when: always,
  })
  .refine((env) => !(env.SETTLE_MS <= env.UPSTREAM_TIMEOUT_MS), {
    path: ['SETTLE_MS'],
    error: 'must be longer than UPSTREAM_TIMEOUT_MS',
    when: always,
  })
  .refine(
    (env) =>
      [env.IDENTITY_SECRET, env.IDENTITY_JWKS_URL, env.IDENTITY_PUBLIC_KEY].filter(Boolean).length <= 1,
    {
      path: ['IDENTITY_SECRET'],
      error: 'set only one of IDENTITY_SECRET, IDENTITY_JWKS_URL and IDENTITY_PUBLIC_KEY',
      when: always,
    },
  )
  .refine((env) => !env.DATABASE_URL || env.SECRET_KEY, {
    path: ['SECRET_KEY'],
    error: 'is required with DATABASE_URL, the same for all instances',
    when: always,
  })
  .refine((env) => !env.DATABASE_NOTIFY_URL || env.DATABASE_URL, {
    path: ['DATABASE_URL'],
    error: 'is required with DATABASE_NOTIFY_URL',
    when: always,
  })
  .refine((env) => !env.SMTP_URL || env.MAIL_FROM, {
    path: ['MAIL_FROM'],
    error: 'is required with SMTP_URL',
    when: always,
  })
  .refine((env) => env.SMTP_URL || (env.NOTIFY_EMAIL !== 'on' && env.CONFIRM_EMAIL !== 'on'), {
    path: ['SMTP_URL'],
    error: 'is required with NOTIFY_EMAIL=on or CONFIRM_EMAIL=on',
    when: always,
  })
  .refine((env) => !env.FORM_FILE || env.TICKET_FOOTER !== 'off', {
    path: ['TICKET_FOOTER'],
    error: 'must be on with FORM_FILE: that line tells the answers from the text of the customer',
    when: always,
  });

type Settings = z.infer<typeof schema>;

/** The names of all settings. */
export const settingNames = Object.keys(schema.shape);

/** All errors of the environment, one `NAME: reason` a line; never a value, since values can be secrets. */
export class ConfigError extends Error {
  override name = 'ConfigError' as const;
}

/**
 * Reads the whole configuration, with durations in milliseconds. An empty variable counts as not set. Each setting
 * can also come from a file that `NAME_FILE` names.
 * @throws {ConfigError} naming every error
 */
export function parseConfig(env: Environment) {
  const { values, errors: fileErrors } = readSettings(settingNames, env);
  const parsed = schema.safeParse(values, {
    error: (issue) => (issue.input === undefined ? 'is required' : undefined),
  });
  if (!parsed.success || fileErrors.size > 0) {
    const issues = (parsed.error?.issues ?? [])
      .map(({ path, message }) => [String(path[0]), message] as const)
      .filter(([name]) => !fileErrors.has(`${name}_FILE`));
    const errors = [...fileErrors, ...issues].map(([name, message]) => `${name}: ${message}`);
    throw new ConfigError(`the configuration has errors:\n  ${[...new Set(errors)].join('\n  ')}`);
  }
  const set = parsed.data;
  const publicUrl = set.PUBLIC_URL ?? `http://localhost:${set.PORT}`;
  return {
    upstream: {
      url: set.SUPPORT_API_URL,
      keys: parseKeys(set.SUPPORT_API_KEY ?? ''),
      keyFile: set.SUPPORT_API_KEY_FILE,
      timeoutMs: set.UPSTREAM_TIMEOUT_MS,
    },
    allowedOrigins: set.ALLOWED_ORIGINS,
    // The sites whose own scripts may read their customers' tickets.
    clientOrigins: set.CLIENT_ORIGINS,
    publicUrl,
    host: set.HOST,
    port: set.PORT,
    adminPort: set.ADMIN_PORT,
    dataDir: set.DATA_DIR,
    place: placeOf(set),
    secretKey: set.SECRET_KEY,
    brand: set.BRAND_NAME ?? null,
    brandColor: set.BRAND_COLOR ?? null,
    brandLogo: set.BRAND_LOGO ?? null,
    schedule: set.SUPPORT_HOURS ?? null,
    replyTime: set.REPLY_TIME ?? null,
    form: set.FORM_FILE ?? null,
    // A folder of Markdown that customers can read.
    articlesDir: set.ARTICLES_DIR ?? null,
    identity: {
      secret: set.IDENTITY_SECRET,
      jwksUrl: set.IDENTITY_JWKS_URL,
      publicKey: set.IDENTITY_PUBLIC_KEY,
      audience: set.IDENTITY_AUDIENCE ?? publicUrl,
    },
    mail: set.SMTP_URL ? { url: set.SMTP_URL, from: set.MAIL_FROM! } : null,
    // Whether customers are offered a mail when an answer waits, and after how long without having read it.
    notifications: set.NOTIFY_EMAIL === 'on' ? { afterMs: set.NOTIFY_AFTER_MS } : null,
    hasConfirmations: set.CONFIRM_EMAIL === 'on',
    webhookSecrets: set.WEBHOOK_SECRET ?? [],
    trustedProxies: set.TRUST_PROXY,
    pow: set.POW,
    limits: {
      ticketsPerSession: set.LIMIT_TICKETS_PER_SESSION,
      ticketsPerIp: set.LIMIT_TICKETS_PER_IP,
      ticketsPerAddress: set.LIMIT_TICKETS_PER_ADDRESS,
      messagesPerSession: set.LIMIT_MESSAGES_PER_SESSION,
      requestsPerIp: set.LIMIT_REQUESTS_PER_IP,
      streamsPerIp: set.LIMIT_STREAMS_PER_IP,
    },
    retention: {
      rejectedMs: set.RETENTION_REJECTED_DAYS,
      undecidedMs: set.RETENTION_UNDECIDED_DAYS,
      unvisitedMs: set.RETENTION_UNVISITED_DAYS,
    },
    hasFooter: set.TICKET_FOOTER === 'on',
    settleMs: set.SETTLE_MS,
    // A send calls the service at most with four keys, one after the other (`bff/v1/client.ts`).
    leaseMs: 5 * set.UPSTREAM_TIMEOUT_MS,
    watchActiveMs: set.WATCH_ACTIVE_MS,
    watchIdleMs: set.WATCH_IDLE_MS,
    readsPerSecond: set.UPSTREAM_READS_PER_S,
    hasPlayground: set.PLAYGROUND === 'on',
    logLevel: set.LOG_LEVEL,
    tracing: tracingSettings(set),
  };
}

function placeOf(set: Settings): Exclude<StorePlace, 'memory'> {
  const { DATABASE_URL: url, DATABASE_NOTIFY_URL: directUrl = url } = set;
  return url ? { databaseUrl: url, directUrl: directUrl! } : { dataDir: set.DATA_DIR };
}

export type Config = ReturnType<typeof parseConfig>;

/** Warnings about a configuration that is valid. */
export function warningsOf({ upstream, publicUrl, trustedProxies, tracing }: Config): LogCode[] {
  const warnings: LogCode[] = [];
  if (!isPrivate(upstream.url)) warnings.push('api_key_unencrypted');
  if (tracing && Object.keys(tracing.headers).length > 0 && !isPrivate(tracing.endpoint))
    warnings.push('collector_headers_unencrypted');
  // The BFF itself speaks plain http: a proxy in front of it terminates TLS.
  if (publicUrl.startsWith('https:') && trustedProxies === 0) warnings.push('proxies_not_set');
  return warnings;
}
