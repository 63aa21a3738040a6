import type { errorStatus } from '../contract/errors.ts';

interface LogCodeEntry {
  level: 'warn' | 'error' | 'fatal';
  /** The message of the line. */
  says: string;
  /** What the operator should do, in one sentence. */
  mend: string;
}

type Status = typeof errorStatus;
/** Answers with an error that the request did not cause. */
export type ServerErrorCode = {
  [Code in keyof Status]: Status[Code] extends 500 | 503 ? Code : never;
}[keyof Status];

const mendStore =
  'Run "deskside check" for an err.code that begins with SQLITE_ or is UNREACHABLE, and report the line as a fault of Deskside for any other.';
const countProxies = 'Set TRUST_PROXY to the number of proxies in front of Deskside.';

/** Every log line at `warn` and above. The codes are stable, because operators search and alert by them. */
export const logCodes = {
  internal: {
    level: 'error',
    says: 'request failed',
    mend: 'Report the line as a fault of Deskside.',
  },
  upstream_unavailable: {
    level: 'error',
    says: 'request failed',
    mend: 'Repair the mail server or the key set that err names; without err it is the ticket service, and a line before this one says how its call failed.',
  },
  overloaded: {
    level: 'error',
    says: 'request failed',
    mend: 'Run "deskside check" for an err.code that begins with SQLITE_ or is UNREACHABLE; without err the server was stopping, or a client sent too much at once.',
  },
  instances_not_told: {
    level: 'warn',
    says: 'the changes of other instances could not be read, or they could not be told of ours',
    mend: 'Check the database server: until then open pages learn of what happens on other instances by their own reads.',
  },
  service_problem_key: {
    level: 'error',
    says: 'the ticket service refuses the API key',
    mend: 'Put a valid key of the workspace into SUPPORT_API_KEY, or into its file.',
  },
  service_problem_address: {
    level: 'error',
    says: 'the ticket service cannot be reached',
    mend: 'Check host and port in SUPPORT_API_URL, and that the service is running.',
  },
  service_problem_path: {
    level: 'error',
    says: 'what answers at SUPPORT_API_URL is not a v1 ticket service',
    mend: 'Check the path of SUPPORT_API_URL, which must end before /api/v1.',
  },
  service_problem_outage: {
    level: 'error',
    says: 'the ticket service answers with errors of its own',
    mend: 'Look into the logs of the ticket service.',
  },
  service_call_not_connected: {
    level: 'warn',
    says: 'a call did not reach the ticket service',
    mend: 'Check the network between Deskside and SUPPORT_API_URL, and that the service is running.',
  },
  service_call_unauthorized: {
    level: 'warn',
    says: 'the ticket service refused every API key in a call',
    mend: 'Put a valid key of the workspace into SUPPORT_API_KEY, or into its file.',
  },
  service_call_rate_limited: {
    level: 'warn',
    says: 'the ticket service refused a call since it got too many',
    mend: 'Lower UPSTREAM_READS_PER_S, or raise the limits of the service.',
  },
  service_call_refused: {
    level: 'warn',
    says: 'the ticket service refused a call',
    mend: 'Do nothing for failure.status 404, a ticket that is gone; for another one try the service with the contract check (service/README.md).',
  },
  service_call_uncertain: {
    level: 'warn',
    says: 'a call to the ticket service ended without a clear result',
    mend: 'Look into the logs of the service for a failure.status of 500 and above, and raise UPSTREAM_TIMEOUT_MS if it is only slow.',
  },
  mail_recipient_refused: {
    level: 'warn',
    says: 'the mail server refused a recipient',
    mend: 'Do nothing for a few, which are mistyped addresses; for many look into the logs of the mail server.',
  },
  mail_not_sent: {
    level: 'warn',
    says: 'a mail about a ticket was not taken by the mail server, and will be tried again',
    mend: 'Repair the mail server that SMTP_URL names; cause has what it did last.',
  },
  notices_failed: {
    level: 'error',
    says: 'a mail about a ticket could not be prepared or recorded, and will be tried again',
    mend: mendStore,
  },
  delivery_failed: {
    level: 'error',
    says: 'a step of a delivery failed, and will be tried again',
    mend: mendStore,
  },
  housekeeping_failed: {
    level: 'error',
    says: 'what is no longer needed could not be removed, and will be tried again',
    mend: mendStore,
  },
  live_update_failed: {
    level: 'error',
    says: 'an open page was not told of a change, and will read it when it connects again',
    mend: mendStore,
  },
  history_failed: {
    level: 'error',
    says: 'tickets that a customer opened elsewhere could not be added, and will be looked for again',
    mend: mendStore,
  },
  thread_not_stored: {
    level: 'error',
    says: 'what was read of a ticket could not be stored',
    mend: mendStore,
  },
  visit_not_stored: {
    level: 'error',
    says: 'the time of a visit could not be stored',
    mend: mendStore,
  },
  article_left_out: {
    level: 'warn',
    says: 'a file of ARTICLES_DIR is not served',
    mend: 'Fix the error named in cause; "deskside articles check" names its line.',
  },
  front_matter_ignored: {
    level: 'warn',
    says: 'front matter in ARTICLES_DIR has more than is read; the articles are served',
    mend: 'None where it is meant for other programs; "deskside articles check" names each.',
  },
  articles_not_read: {
    level: 'error',
    says: 'ARTICLES_DIR could not be read, and the articles that were read before are served',
    mend: 'Check that the folder exists and that the server’s user may read it; for an err.code that begins with SQLITE_ or is UNREACHABLE run "deskside check".',
  },
  limits_not_stored: {
    level: 'error',
    says: 'the file of the limits took no count, and memory counts instead',
    mend: mendStore,
  },
  scripts_not_stored: {
    level: 'error',
    says: 'the scripts of this build could not be stored for other instances',
    mend: mendStore,
  },
  service_record_not_stored: {
    level: 'error',
    says: 'the store could not tell or take whether the ticket service has ever worked',
    mend: mendStore,
  },
  admin_failed: {
    level: 'error',
    says: 'a request to the admin port failed',
    mend: mendStore,
  },
  store_file_shared: {
    level: 'warn',
    says: 'others on this machine may read a file of the store',
    mend: 'Give the file to the user of the server, or take the rights of others to it away.',
  },
  api_key_unencrypted: {
    level: 'warn',
    says: 'SUPPORT_API_URL is http: the API key travels unencrypted',
    mend: 'Give SUPPORT_API_URL an https address.',
  },
  collector_headers_unencrypted: {
    level: 'warn',
    says: 'OTEL_EXPORTER_OTLP_ENDPOINT is http: OTEL_EXPORTER_OTLP_HEADERS travel unencrypted',
    mend: 'Give OTEL_EXPORTER_OTLP_ENDPOINT an https address.',
  },
  traces_not_sent: {
    level: 'warn',
    says: 'traces cannot be sent to the collector',
    mend: 'Check OTEL_EXPORTER_OTLP_ENDPOINT, and that the collector is running.',
  },
  proxies_not_set: {
    level: 'warn',
    says: 'PUBLIC_URL is https and TRUST_PROXY is 0: all customers count as one address and share its limits',
    mend: countProxies,
  },
  proxy_not_trusted: {
    level: 'warn',
    says: 'a request carries X-Forwarded-For and TRUST_PROXY is 0: all customers behind that proxy share the limits of one address',
    mend: countProxies,
  },
  connection_refused: {
    level: 'warn',
    says: 'a connection was refused: its address holds its share',
    mend: 'Set TRUST_PROXY if the address is that of a proxy; otherwise block a client that goes on.',
  },
  clock_set: {
    level: 'warn',
    says: 'the system clock was set',
    mend: 'Let NTP keep the clock of this machine, with DATABASE_URL that of the database server.',
  },
  library_error: {
    level: 'error',
    says: 'a library reported an error',
    mend: 'Report the line as a fault of Deskside.',
  },
  stop_too_slow: {
    level: 'error',
    says: 'the server did not stop in time and ends at once',
    mend: 'Do nothing: what was being sent is looked for at the next start.',
  },
  crashed: {
    level: 'fatal',
    says: 'the server ends after an unexpected error',
    mend: 'Start it again, if no supervisor does. If err.code begins with SQLITE_IOERR, check the disk. Otherwise report the line as a fault of Deskside.',
  },
} as const satisfies Record<string, LogCodeEntry> & Record<ServerErrorCode, LogCodeEntry>;

export type LogCode = keyof typeof logCodes;
