import { z } from 'zod';
import { type SettingGroup, setting, type Values, type ValuesOf } from './settings/settings.ts';
import {
  databaseUrl,
  days,
  duration,
  hexColor,
  httpUrl,
  imageUrl,
  instant,
  isPrivate,
  limit,
  listenAddress,
  list,
  embedder,
  onOff,
  origin,
  port,
  portOrSocket,
  publicKey,
  replyTime,
  sentenceOrSentences,
  startLinks,
  supportHours,
  webhookSecret,
  wholeNumber,
} from './settings/values.ts';
import type { StorePlace } from './store/open.ts';
import { minSecretLength } from './store/secret.ts';
import { isKeyList, parseKeys } from './v1/keys.ts';

/* The settings of the core. Extras have settings of their own. */

const group = <S extends SettingGroup['shape']>(given: SettingGroup<S>) => given;

const service = group({
  heading: 'Required',
  shape: {
    SUPPORT_API_URL: setting(httpUrl, {
      about: 'Address of the ticket service, without /api/v1. The key is sent only there.',
      fallback: 'required',
      example: 'https://tickets.example.com',
      kind: 'host',
    }),
    SUPPORT_API_KEY: setting(
      z.string().refine(isKeyList, 'must be one or two keys of printable ASCII').optional(),
      {
        about: 'One API key, or two separated by a comma: if one is refused the other is tried.',
        fallback: 'required',
        example: '',
        kind: 'private',
      },
    ),
    SUPPORT_API_KEY_FILE: setting(z.string().min(1).optional(), {
      about: 'Or a file with the key or keys; read again when it changes.',
      example: '/run/secrets/support-api-key',
    }),
    ALLOWED_ORIGINS: setting(list.pipe(z.array(embedder).min(1, 'must name at least one origin')), {
      about:
        'Sites that may show the widget, separated by commas. The full page links to the first. Also https://*.example.com, if all subdomains are yours, and apps, such as capacitor://localhost.',
      fallback: 'required',
      example: 'https://www.example.com',
      kind: 'host',
      inSites: 'own',
    }),
    CLIENT_ORIGINS: setting(list.pipe(z.array(origin)).default([]), {
      about: "Sites whose own scripts may read and write their customers' tickets, with the headless client.",
      example: 'https://app.example.com',
      kind: 'host',
      inSites: 'own',
    }),
  },
  rules: [
    {
      name: 'SUPPORT_API_KEY',
      error: 'set either SUPPORT_API_KEY or SUPPORT_API_KEY_FILE',
      holds: (env) => !env['SUPPORT_API_KEY'] !== !env['SUPPORT_API_KEY_FILE'],
    },
  ],
});

/** Requests whose path a proxy has already taken off could not be told from others. */
const ownPath = /^\/(api|articles|assets|frame|headless|hooks|playground|unsubscribe)(\/|$)/;

const addresses = group({
  heading: 'Addresses',
  shape: {
    PUBLIC_URL: setting(
      httpUrl
        .refine(
          (url) => /^https?:\/\/[^/]+(\/(?!\.)[\w.~-]+)*$/.test(url),
          'may have a path of letters, digits, dots, hyphens and underscores only',
        )
        .refine(
          (url) => !ownPath.test(new URL(url).pathname),
          'must not begin its path as the routes of Deskside do, such as /api',
        )
        .optional(),
      {
        about:
          'Address of the BFF for browsers. It may have a path, such as https://www.example.com/support.',
        fallback: 'http://localhost:PORT',
        example: 'https://support.example.com',
        kind: 'host',
        inSites: 'own',
      },
    ),
    HOST: setting(listenAddress.default('127.0.0.1'), {
      about: 'Address to listen on for browsers.',
      kind: 'host',
      inSites: 'process',
    }),
    PORT: setting(portOrSocket(4000), {
      about:
        'Port for browsers, through your proxy; or the path of a Unix socket, with PUBLIC_URL and TRUST_PROXY. Its folder decides who may connect.',
      inSites: 'process',
    }),
    ADMIN_PORT: setting(port(4100), {
      about: 'Port for operators only: /livez, /readyz and /metrics.',
      inSites: 'process',
    }),
    ADMIN_HOST: setting(listenAddress.default('127.0.0.1'), {
      about: 'Address to listen on for operators.',
      kind: 'host',
      inSites: 'process',
    }),
    TRUST_PROXY: setting(wholeNumber.pipe(z.number().max(10)).default(0), {
      about:
        'Number of proxies in front, each of which appends to X-Forwarded-For. With 0, an address has 500 connections.',
      example: '1',
      inSites: 'process',
    }),
    SITES_FILE: setting(z.string().min(1).optional(), {
      about: 'YAML file with further sites that this process serves, each with settings of its own.',
      example: '/etc/deskside/sites.yaml',
      inSites: 'process',
    }),
  },
  rules: [
    {
      name: 'PORT',
      error:
        'a socket needs PUBLIC_URL, and TRUST_PROXY of at least 1: without it all customers share one limit',
      holds: (env) =>
        !String(env['PORT']).startsWith('/') || Boolean(env['PUBLIC_URL'] && Number(env['TRUST_PROXY']) > 0),
    },
  ],
});

const store = group({
  heading: 'Store',
  shape: {
    DATA_DIR: setting(z.string().min(1).default('.data/bff'), {
      about: 'Folder of the SQLite file, and of the secret key if none is set.',
      inSites: 'process',
    }),
    SECRET_KEY: setting(
      z
        .string()
        .min(minSecretLength, `must be at least ${minSecretLength} characters of random text`)
        .optional(),
      {
        about: 'At least 32 random characters. Keep a copy: without it a store cannot be read.',
        fallback: 'made once, in DATA_DIR',
        example: '',
        kind: 'private',
        inSites: 'own',
      },
    ),
    DATABASE_URL: setting(databaseUrl.optional(), {
      about:
        'A PostgreSQL database instead of the file, for several instances. Needs SECRET_KEY. By a socket: postgres://user@/name?host=/var/run/postgresql',
      example: 'postgres://deskside:password@db.example.com/deskside',
      kind: 'private',
      inSites: 'own',
    }),
    DATABASE_NOTIFY_URL: setting(databaseUrl.optional(), {
      about: 'The same database without a connection pooler, for migrations and notifications.',
      fallback: 'DATABASE_URL',
      example: 'postgres://deskside:password@db.example.com:5432/deskside',
      kind: 'private',
      inSites: 'own',
    }),
  },
  rules: [
    {
      name: 'SECRET_KEY',
      error: 'is required with DATABASE_URL, the same for all instances',
      holds: (env) => !env['DATABASE_URL'] || Boolean(env['SECRET_KEY']),
    },
    {
      name: 'DATABASE_URL',
      error: 'is required with DATABASE_NOTIFY_URL',
      holds: (env) => !env['DATABASE_NOTIFY_URL'] || Boolean(env['DATABASE_URL']),
    },
  ],
});

const identity = group({
  heading: 'Signed-in customers',
  shape: {
    IDENTITY_SECRET: setting(z.string().min(32, 'must be at least 32 bytes of random text').optional(), {
      about:
        'Secret of at least 32 bytes, shared with your site, for HS256 tokens. Set only one of the three keys.',
      example: '',
      kind: 'private',
      inSites: 'own',
    }),
    IDENTITY_PUBLIC_KEY: setting(publicKey.optional(), {
      about: 'Or a PEM public key, P-256 or Ed25519, for ES256 and EdDSA tokens.',
      example: '',
      inSites: 'own',
    }),
    IDENTITY_JWKS_URL: setting(
      httpUrl.refine(isPrivate, 'must be https, or keys could be changed on the way').optional(),
      {
        about: 'Or the address of your public keys as a JWK set.',
        example: 'https://www.example.com/jwks.json',
        kind: 'host',
        inSites: 'own',
      },
    ),
    IDENTITY_AUDIENCE: setting(z.string().min(1).optional(), {
      about: 'The aud that those tokens must have.',
      fallback: 'PUBLIC_URL',
      example: 'https://support.example.com',
      kind: 'host',
      inSites: 'own',
    }),
  },
  rules: [
    {
      name: 'IDENTITY_SECRET',
      error: 'set only one of IDENTITY_SECRET, IDENTITY_JWKS_URL and IDENTITY_PUBLIC_KEY',
      holds: (env) =>
        ['IDENTITY_SECRET', 'IDENTITY_JWKS_URL', 'IDENTITY_PUBLIC_KEY'].filter((name) => env[name]).length <=
        1,
    },
  ],
});

const limits = group({
  heading: 'Limits',
  shape: {
    LIMIT_TICKETS_PER_SESSION: setting(limit(5), {
      about: 'New tickets an hour from one customer, after the first.',
    }),
    LIMIT_TICKETS_PER_IP: setting(limit(10), {
      about: 'New tickets an hour from one address (IPv6: one /64 network).',
    }),
    LIMIT_TICKETS_PER_ADDRESS: setting(limit(3), {
      about:
        'New tickets a day under one unproven e-mail address, from one network. Ten times as many from all.',
    }),
    LIMIT_MESSAGES_PER_SESSION: setting(limit(20), {
      about: 'Replies a minute from one customer.',
    }),
    LIMIT_REQUESTS_PER_IP: setting(limit(600), {
      about:
        'API requests a minute from one address; five times as many of all kinds. Raise it for large offices.',
    }),
    LIMIT_STREAMS_PER_IP: setting(limit(60), {
      about: 'Open streams of one address: one for each customer with the widget in use.',
    }),
    POW: setting(z.enum(['off', 'auto', 'on']).default('auto'), {
      about:
        'Proof of work before a ticket: off, on, or auto (near a limit, or if a hidden field was filled in).',
    }),
  },
});

const retention = group({
  heading: 'Retention',
  shape: {
    RETENTION_REJECTED_DAYS: setting(days(30), {
      about: 'Days until the text of a refused message is erased.',
    }),
    RETENTION_UNDECIDED_DAYS: setting(days(30), {
      about: 'The same for a message that may have arrived, if the customer does not decide.',
    }),
    RETENTION_UNVISITED_DAYS: setting(days(365), {
      about: 'Days after the last visit until a customer is removed, with all their data.',
    }),
  },
});

const behaviour = group({
  heading: 'Behaviour',
  shape: {
    BRAND_NAME: setting(z.string().min(1).max(80).optional(), {
      about: 'Your name on the full page, in the panel and in mails.',
      example: 'Acme',
      kind: 'private',
      inSites: 'own',
    }),
    BRAND_COLOR: setting(hexColor.optional(), {
      about: 'Your colour there, in hex; # may be left out. The launcher has that of data-color.',
      example: 'a8482a',
      inSites: 'own',
    }),
    BRAND_LOGO: setting(imageUrl.optional(), {
      about:
        "Your logo there: an https address, or a data address with at most 32 kB. The tag's data-brand, data-color and data-logo come first.",
      example: 'https://www.example.com/logo.png',
      kind: 'host',
      inSites: 'own',
    }),
    SUPPORT_HOURS: setting(supportHours.optional(), {
      about: 'When support is there; otherwise customers read when you are back.',
      example: 'Mo-Fr 09:00-17:00 Europe/Berlin; 12-24..12-26 closed',
      inSites: 'own',
    }),
    REPLY_TIME: setting(replyTime.optional(), {
      about: 'Usual time until an answer, for customers to read: 30 minutes, 2 hours, 1 day.',
      example: '2 hours',
      inSites: 'own',
    }),
    NOTICE: setting(sentenceOrSentences(300).optional(), {
      about:
        'A sentence for every customer on the start of the panel. By language: {"en":"We are late.","de":"…"}.',
      example: 'Deliveries take two days longer this week.',
      inSites: 'own',
    }),
    NOTICE_FROM: setting(instant.optional(), {
      about: 'Shows NOTICE from then on only.',
      example: '2026-12-01T08:00+01:00',
      inSites: 'own',
    }),
    NOTICE_UNTIL: setting(instant.optional(), {
      about: 'Shows NOTICE until then only.',
      example: '2026-12-08T08:00+01:00',
      inSites: 'own',
    }),
    START_LINKS: setting(startLinks.optional(), {
      about: 'Up to six links for the start of the panel, which open a new tab; also mailto: and tel:.',
      example: 'Delivery times https://www.example.com/delivery; Returns https://www.example.com/returns',
      inSites: 'own',
    }),
    WEBHOOK_SECRET: setting(
      list
        .pipe(z.array(webhookSecret).min(1).max(2, 'must be one secret for the path, and one for signatures'))
        .optional(),
      {
        about:
          'At least 16 characters; enables POST /hooks/tickets/{secret}. A second value whsec_… also checks signatures.',
        example: '',
        kind: 'private',
        inSites: 'own',
      },
    ),
    TICKET_FOOTER: setting(onOff('on'), {
      about: 'off removes the line for agents: whether the address is verified, the page and the ref.',
    }),
    SETTLE_MS: setting(duration(600_000, 1, 86_400_000), {
      about: 'How long the BFF looks for a send in doubt before it sends it again.',
    }),
    UPSTREAM_TIMEOUT_MS: setting(duration(10_000, 100, 120_000), {
      about: 'Deadline of every call to the ticket service.',
    }),
    UPSTREAM_READS_PER_S: setting(wholeNumber.pipe(z.number().min(1).max(1_000)).default(20), {
      about: 'Maximum reads per second of tickets on screen.',
    }),
    WATCH_ACTIVE_MS: setting(duration(2_000, 100, 600_000), {
      about: 'Interval of reads of a ticket on screen, once for all its viewers.',
    }),
    WATCH_IDLE_MS: setting(duration(15_000, 100, 3_600_000), {
      about: 'The same for the badge.',
    }),
    PLAYGROUND: setting(onOff('off'), {
      about: 'on serves /playground, where you try the widget and make its tag. Not for production.',
    }),
    LOG_LEVEL: setting(
      z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
      {
        about: 'fatal, error, warn, info, debug, trace or silent.',
        inSites: 'process',
      },
    ),
  },
  rules: [
    {
      name: 'SETTLE_MS',
      error: 'must be longer than UPSTREAM_TIMEOUT_MS',
      holds: (env) => !(Number(env['SETTLE_MS']) <= Number(env['UPSTREAM_TIMEOUT_MS'])),
    },
    {
      name: 'NOTICE',
      error: 'is missing: NOTICE_FROM and NOTICE_UNTIL say when it is shown',
      holds: (env) => Boolean(env['NOTICE'] || !(env['NOTICE_FROM'] || env['NOTICE_UNTIL'])),
    },
    {
      name: 'NOTICE_UNTIL',
      error: 'must be later than NOTICE_FROM',
      holds: (env) => !(Number(env['NOTICE_UNTIL']) <= Number(env['NOTICE_FROM'])),
    },
  ],
});

export const coreSettings: readonly SettingGroup[] = [
  service,
  addresses,
  store,
  identity,
  limits,
  retention,
  behaviour,
];

type CoreShape = typeof service.shape &
  typeof addresses.shape &
  typeof store.shape &
  typeof identity.shape &
  typeof limits.shape &
  typeof retention.shape &
  typeof behaviour.shape;

/** The configuration, with durations in milliseconds. */
export function toConfig(values: Values) {
  const set = values as ValuesOf<CoreShape>;
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
    adminHost: set.ADMIN_HOST,
    dataDir: set.DATA_DIR,
    place: placeOf(set),
    secretKey: set.SECRET_KEY,
    brand: set.BRAND_NAME ?? null,
    brandColor: set.BRAND_COLOR ?? null,
    brandLogo: set.BRAND_LOGO ?? null,
    schedule: set.SUPPORT_HOURS ?? null,
    replyTime: set.REPLY_TIME ?? null,
    notice: set.NOTICE
      ? {
          text: set.NOTICE,
          ...(set.NOTICE_FROM && { from: set.NOTICE_FROM }),
          ...(set.NOTICE_UNTIL && { until: set.NOTICE_UNTIL }),
        }
      : null,
    links: set.START_LINKS ?? [],
    identity: {
      secret: set.IDENTITY_SECRET,
      jwksUrl: set.IDENTITY_JWKS_URL,
      publicKey: set.IDENTITY_PUBLIC_KEY,
      audience: set.IDENTITY_AUDIENCE ?? publicUrl,
    },
    webhookSecrets: set.WEBHOOK_SECRET ?? [],
    trustedProxies: set.TRUST_PROXY,
    sitesFile: set.SITES_FILE ?? null,
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
    // A send calls the service at most with four keys, one after the other (`bff/core/v1/client.ts`).
    leaseMs: 5 * set.UPSTREAM_TIMEOUT_MS,
    watchActiveMs: set.WATCH_ACTIVE_MS,
    watchIdleMs: set.WATCH_IDLE_MS,
    readsPerSecond: set.UPSTREAM_READS_PER_S,
    hasPlayground: set.PLAYGROUND === 'on',
    logLevel: set.LOG_LEVEL,
    /** All parsed settings, from which extras take theirs. */
    values,
  };
}

function placeOf(set: ValuesOf<typeof store.shape>): Exclude<StorePlace, 'memory'> {
  const { DATABASE_URL: url, DATABASE_NOTIFY_URL: directUrl = url } = set;
  return url ? { databaseUrl: url, directUrl: directUrl! } : { dataDir: set.DATA_DIR };
}

export type Config = ReturnType<typeof toConfig>;
