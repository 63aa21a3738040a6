/** One setting of the BFF, as the commands show it. */
export interface Setting {
  name: string;
  /** The group of the setting in the template. */
  group: string;
  /** How it appears in a report for strangers: `private` is not shown, `host` is shortened. */
  kind: 'plain' | 'private' | 'host';
  /** How it appears in the template: the default, or an example. */
  example: string;
  about: string;
}

type Row = [name: string, kind: Setting['kind'], example: string, about: string];

const table: Record<string, Row[]> = {
  Needed: [
    ['SUPPORT_API_URL', 'host', 'https://tickets.example.com', 'The ticket service. It ends before /api/v1.'],
    [
      'SUPPORT_API_KEY',
      'private',
      '',
      'Its API key, or two separated by a comma: when one is refused the other is tried.',
    ],
    [
      'SUPPORT_API_KEY_FILE',
      'plain',
      '/run/secrets/support-api-key',
      'Or a file with the key or keys; read again when it changes.',
    ],
    [
      'ALLOWED_ORIGINS',
      'host',
      'https://www.example.com',
      'The sites that may show the widget, separated by commas.',
    ],
    [
      'CLIENT_ORIGINS',
      'host',
      'https://app.example.com',
      'The sites whose own scripts may read their customers’ tickets.',
    ],
  ],
  Addresses: [
    ['PUBLIC_URL', 'host', 'https://support.example.com', 'Where browsers reach the BFF.'],
    ['HOST', 'host', '127.0.0.1', 'Where it listens.'],
    ['PORT', 'plain', '4000', 'For browsers, through your proxy.'],
    ['ADMIN_PORT', 'plain', '4100', '/livez, /readyz and /metrics, for operators only.'],
    ['TRUST_PROXY', 'plain', '1', 'How many proxies stand before the BFF.'],
  ],
  Store: [
    [
      'DATA_DIR',
      'plain',
      '.data/bff',
      'The folder of the SQLite file, and of the secret key when none is given.',
    ],
    [
      'SECRET_KEY',
      'private',
      '',
      'At least 32 random characters. Keep a copy: without it a store cannot be read.',
    ],
    [
      'DATABASE_URL',
      'private',
      'postgres://deskside:password@db.example.com/deskside',
      'Or a PostgreSQL database in place of the file, for several instances.',
    ],
    [
      'DATABASE_NOTIFY_URL',
      'private',
      'postgres://deskside:password@db.example.com:5432/deskside',
      'The same database without the pooler that DATABASE_URL leads to.',
    ],
  ],
  'Customers that you sign in': [
    [
      'IDENTITY_SECRET',
      'private',
      '',
      'A secret of at least 32 bytes, shared with your site, for HS256 tokens.',
    ],
    [
      'IDENTITY_PUBLIC_KEY',
      'plain',
      '',
      'Or a PEM public key, P-256 or Ed25519, for ES256 and EdDSA tokens.',
    ],
    [
      'IDENTITY_JWKS_URL',
      'host',
      'https://www.example.com/jwks.json',
      'Or where your public keys stand as a JWK set.',
    ],
    [
      'IDENTITY_AUDIENCE',
      'host',
      'https://support.example.com',
      'The aud that those tokens must carry; PUBLIC_URL unless set.',
    ],
  ],
  Mail: [
    [
      'SMTP_URL',
      'private',
      'smtps://user:password@mail.example.com',
      'The mail server: customers can prove their address by a code.',
    ],
    ['MAIL_FROM', 'private', 'Acme <support@example.com>', 'The sender of these mails.'],
    [
      'NOTIFY_EMAIL',
      'plain',
      'on',
      'on offers customers a mail when an answer waits that they have not read.',
    ],
    ['NOTIFY_AFTER_MS', 'plain', '300000', 'How long an answer waits before that mail.'],
    ['CONFIRM_EMAIL', 'plain', 'on', 'on mails customers that their ticket has arrived.'],
  ],
  Limits: [
    ['LIMIT_TICKETS_PER_SESSION', 'plain', '5', 'New tickets an hour from one customer after the first.'],
    ['LIMIT_TICKETS_PER_IP', 'plain', '10', 'New tickets an hour from one address.'],
    [
      'LIMIT_TICKETS_PER_ADDRESS',
      'plain',
      '3',
      'New tickets a day under one e-mail address that was not proven, from one network.',
    ],
    ['LIMIT_MESSAGES_PER_SESSION', 'plain', '20', 'Replies a minute from one customer.'],
    ['LIMIT_REQUESTS_PER_IP', 'plain', '600', 'API requests a minute from one address.'],
    ['LIMIT_STREAMS_PER_IP', 'plain', '60', 'Open streams of one address.'],
    ['POW', 'plain', 'auto', 'Proof of work before a ticket: off, on, or auto when a limit is near.'],
  ],
  Retention: [
    ['RETENTION_REJECTED_DAYS', 'plain', '30', 'How long texts are kept that the ticket service refused.'],
    ['RETENTION_UNDECIDED_DAYS', 'plain', '30', 'How long texts are kept that nobody decided about.'],
    ['RETENTION_UNVISITED_DAYS', 'plain', '365', 'How long customers are kept who do not come back.'],
  ],
  Behaviour: [
    ['BRAND_NAME', 'private', 'Acme', 'Your name on the full page, in the panel and in mails.'],
    ['BRAND_COLOR', 'plain', 'a8482a', 'Your colour there: hex, # may be left out.'],
    ['BRAND_LOGO', 'host', 'https://www.example.com/logo.png', 'Your logo there: an https or data: address.'],
    [
      'SUPPORT_HOURS',
      'plain',
      'Mo-Fr 09:00-17:00 Europe/Berlin; 12-24..12-26 closed',
      'When support is there; outside these hours customers read when it is back.',
    ],
    ['REPLY_TIME', 'plain', '2 hours', 'How soon an answer usually comes, as customers read it.'],
    [
      'FORM_FILE',
      'private',
      '/etc/deskside/form.json',
      'Topics, fields and consent that the form of a new ticket asks for.',
    ],
    [
      'ARTICLES_DIR',
      'plain',
      '/etc/deskside/articles',
      'A folder of Markdown that customers can read and search; try it with deskside articles check.',
    ],
    [
      'WEBHOOK_SECRET',
      'private',
      '',
      'Opens POST /hooks/tickets/{secret}; with a second one, whsec_…, signatures are checked too.',
    ],
    ['TICKET_FOOTER', 'plain', 'on', 'off leaves out the last line for agents.'],
    ['SETTLE_MS', 'plain', '600000', 'How long a send in doubt may take to show up before it is sent again.'],
    ['UPSTREAM_TIMEOUT_MS', 'plain', '10000', 'Deadline of every call to the ticket service.'],
    [
      'UPSTREAM_READS_PER_S',
      'plain',
      '20',
      'Most reads a second of tickets that customers look at, all together.',
    ],
    ['WATCH_ACTIVE_MS', 'plain', '2000', 'How often a ticket on screen is read.'],
    ['WATCH_IDLE_MS', 'plain', '15000', 'The same for the badge.'],
    ['PLAYGROUND', 'plain', 'off', 'on serves /playground, for trying out.'],
    ['LOG_LEVEL', 'plain', 'info', 'fatal, error, warn, info, debug, trace or silent.'],
  ],
  Traces: [
    [
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'host',
      'http://localhost:4318',
      'Your OpenTelemetry collector, for OTLP over HTTP: traces are sent there, to /v1/traces.',
    ],
    [
      'OTEL_EXPORTER_OTLP_HEADERS',
      'private',
      'authorization=Bearer%20token',
      'What the collector asks for: name=value pairs, separated by commas.',
    ],
    ['OTEL_SERVICE_NAME', 'plain', 'deskside-bff', 'The name of this server in the traces.'],
    ['OTEL_TRACES_SAMPLER_ARG', 'plain', '1', 'The share of traces that is recorded, from 0 to 1.'],
  ],
};

/** Every setting, in the order of the template. */
export const settings: readonly Setting[] = Object.entries(table).flatMap(([group, rows]) =>
  rows.map(([name, kind, example, about]) => ({ name, group, kind, example, about })),
);
