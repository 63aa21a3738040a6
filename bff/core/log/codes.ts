import type { errorStatus } from '../../../shared/contract/errors.ts';

interface LogCodeEntry {
  level: 'warn' | 'error' | 'fatal';
  /** The message of the line. */
  says: string;
  /** What the operator should do, in one sentence. */
  fix: string;
}

type Status = typeof errorStatus;
/** Answers with an error that the request did not cause. */
export type ServerErrorCode = {
  [Code in keyof Status]: Status[Code] extends 500 | 503 ? Code : never;
}[keyof Status];

const fixStore = 'Run "deskside check". If it finds nothing, report this as a bug.';
const countProxies = 'Set TRUST_PROXY to the number of proxies in front of Deskside.';

/** Every log line at `warn` and above. The codes are stable, because operators search and alert by them. */
export const logCodes = {
  internal: {
    level: 'error',
    says: 'request failed',
    fix: 'Report this as a bug.',
  },
  upstream_unavailable: {
    level: 'error',
    says: 'request failed',
    fix: 'Repair the mail server or the key set that err names; without err it is the ticket service, and a line before this one says how its call failed.',
  },
  overloaded: {
    level: 'error',
    says: 'request failed',
    fix: 'With err, the store failed: run "deskside check". Without, the server was stopping, or a client sent too much at once.',
  },
  instances_not_told: {
    level: 'warn',
    says: 'the changes of other instances could not be read, or they could not be told of ours',
    fix: 'Check the database server: until then open pages learn of what happens on other instances by their own reads.',
  },
  service_problem_key: {
    level: 'error',
    says: 'the ticket service refuses the API key',
    fix: 'Put a valid key of the workspace into SUPPORT_API_KEY, or into its file.',
  },
  service_problem_address: {
    level: 'error',
    says: 'the ticket service cannot be reached',
    fix: 'Check host and port in SUPPORT_API_URL, and that the service is running.',
  },
  service_problem_path: {
    level: 'error',
    says: 'what answers at SUPPORT_API_URL is not a v1 ticket service',
    fix: 'Check the path of SUPPORT_API_URL, which must end before /api/v1.',
  },
  service_problem_outage: {
    level: 'error',
    says: 'the ticket service answers with errors of its own',
    fix: 'Look into the logs of the ticket service.',
  },
  service_call_not_connected: {
    level: 'warn',
    says: 'a call did not reach the ticket service',
    fix: 'Check the network between Deskside and SUPPORT_API_URL, and that the service is running.',
  },
  service_call_unauthorized: {
    level: 'warn',
    says: 'the ticket service refused every API key in a call',
    fix: 'Put a valid key of the workspace into SUPPORT_API_KEY, or into its file.',
  },
  service_call_rate_limited: {
    level: 'warn',
    says: 'the ticket service refused a call since it got too many',
    fix: 'Lower UPSTREAM_READS_PER_S, or raise the limits of the service.',
  },
  service_call_refused: {
    level: 'warn',
    says: 'the ticket service refused a call',
    fix: 'Do nothing for failure.status 404, a ticket that is gone; for another one try the service with the contract check (service/README.md).',
  },
  service_call_uncertain: {
    level: 'warn',
    says: 'a call to the ticket service ended without a clear result',
    fix: 'Look into the logs of the service for a failure.status of 500 and above, and raise UPSTREAM_TIMEOUT_MS if it is only slow.',
  },
  mail_recipient_refused: {
    level: 'warn',
    says: 'the mail server refused a recipient',
    fix: 'Do nothing for a few, which are mistyped addresses; for many look into the logs of the mail server.',
  },
  mail_sender_refused: {
    level: 'error',
    says: 'the mail server takes no mails from Deskside; those about tickets will be tried again',
    fix: 'Check the login in SMTP_URL, and that the server lets it send as MAIL_FROM; deskside check --mail with your address shows the answer of the server.',
  },
  mail_not_sent: {
    level: 'warn',
    says: 'a mail about a ticket was not taken by the mail server, and will be tried again',
    fix: 'Repair the mail server that SMTP_URL names; cause has what it did last.',
  },
  mail_set_aside: {
    level: 'warn',
    says: 'a mail that came in was set aside, and nothing was made of it',
    fix: 'Run "deskside mails": it says why, shows the mail, and lets it be tried again.',
  },
  mails_in_failed: {
    level: 'error',
    says: 'a mail that came in could not be acted on, and will be tried again, before those behind it',
    fix: fixStore,
  },
  mail_in_not_read: {
    level: 'error',
    says: 'the mailbox of MAIL_IN cannot be read, and is tried again',
    fix: 'Run "deskside check": cause has what the mail server, the network or the store did. Mails wait in the mailbox.',
  },
  mail_in_login_refused: {
    level: 'error',
    says: 'the mail server refuses the login of MAIL_IN, and is asked again every ten minutes',
    fix: 'Put user and password into MAIL_IN, percent-encoded; many providers want a password for apps. Mails wait in the mailbox.',
  },
  mail_in_no_folder: {
    level: 'error',
    says: 'the mailbox of MAIL_IN has no such folder',
    fix: 'Create the folder that MAIL_IN names, or correct its name.',
  },
  mail_in_too_large: {
    level: 'warn',
    says: 'a mail is too large, and was left in the mailbox, unread and flagged',
    fix: 'Read it there: cause has its UID.',
  },
  mail_in_not_given: {
    level: 'error',
    says: 'the mail server does not give out a mail, which was left in the mailbox, unread and flagged',
    fix: 'Read it there: cause has its UID; look into the logs of the mail server.',
  },
  notices_failed: {
    level: 'error',
    says: 'a mail about a ticket could not be prepared or recorded, and will be tried again',
    fix: fixStore,
  },
  file_store_failed: {
    level: 'error',
    says: 'a file could not be kept, read or removed; customers were told to try again, and their texts went out',
    fix: 'Run "deskside check": err.code ENOSPC means that the disk of DATA_DIR is full; others are of the folder, or of the store that FILES_URL names.',
  },
  file_missing: {
    level: 'warn',
    says: 'a link leads to a file that the store does not have',
    fix: 'Run "deskside files --verify", and put back what a backup of the files has.',
  },
  file_scanner_failed: {
    level: 'error',
    says: 'a file could not be scanned, so it was not taken',
    fix: 'Check that clamd runs at FILES_SCAN, and that its StreamMaxLength is at least FILES_MAX_BYTES.',
  },
  files_day_full: {
    level: 'warn',
    says: 'the files of the last 24 hours have reached their limit, so no more are taken for now',
    fix: 'Raise FILES_DAILY_BYTES, if these are files of customers: deskside_files_total shows how many there are.',
  },
  delivery_failed: {
    level: 'error',
    says: 'a step of a delivery failed, and will be tried again',
    fix: fixStore,
  },
  housekeeping_failed: {
    level: 'error',
    says: 'what is no longer needed could not be removed, and will be tried again',
    fix: fixStore,
  },
  last_use_not_stored: {
    level: 'error',
    says: 'the store could not record that it is in use, so the next start looks for unsent messages at the service first',
    fix: fixStore,
  },
  identity_attributes_left_out: {
    level: 'warn',
    says: 'a token of the site has attributes that agents cannot be shown, and was accepted without them',
    fix: 'Let the claim attributes have at most 20 texts of up to 200 characters, numbers and flags, with names of up to 40 characters; identity.md has the rules.',
  },
  identity_org_left_out: {
    level: 'warn',
    says: 'a token of the site has an org or org_tickets that cannot be read, and was accepted without it',
    fix: 'Let the claim org be a text of 1 to 200 characters, and org_tickets true or false; identity.md has the rules.',
  },
  setting_unknown: {
    level: 'warn',
    says: 'a variable is no setting, and has no effect',
    fix: 'Correct its name, if it is for Deskside: meant has the setting that is most like it.',
  },
  site_not_opened: {
    level: 'error',
    says: 'a site could not be opened, and answers that it is away, while the others are served',
    fix: 'Repair what err.message names, with "deskside check". The site is tried again every minute.',
  },
  store_file_gone: {
    level: 'fatal',
    says: 'the file of the store or its log was removed or replaced under the running server, which ends now',
    fix: 'Start it again, and run "deskside check". Stop the server before you move files of its store.',
  },
  retention_waits: {
    level: 'error',
    says: 'nothing old is removed, since the clock of this machine may be wrong: neither the ticket service nor the last use of the store agrees with it',
    fix: 'Run "deskside check", and set the clock by NTP. After a long stop, it goes on by itself once the ticket service has answered.',
  },
  retention_stopped: {
    level: 'error',
    says: 'more customers have not come for long than one day may remove, so the others stay until tomorrow',
    fix: 'Check the clock and the RETENTION settings. If both are right, nothing need be done.',
  },
  live_update_failed: {
    level: 'error',
    says: 'an open page was not told of a change, and will read it when it connects again',
    fix: fixStore,
  },
  colleagues_failed: {
    level: 'error',
    says: 'tickets of colleagues could not be added, and will be with the next visit',
    fix: fixStore,
  },
  history_failed: {
    level: 'error',
    says: 'tickets that a customer opened elsewhere could not be added, and will be looked for again',
    fix: fixStore,
  },
  thread_not_stored: {
    level: 'error',
    says: 'what was read of a ticket could not be stored',
    fix: fixStore,
  },
  visit_not_stored: {
    level: 'error',
    says: 'the time of a visit could not be stored',
    fix: fixStore,
  },
  articles_none: {
    level: 'warn',
    says: 'ARTICLES_DIR has no article, so the panel shows none',
    fix: 'Put an article into the folder of its language, such as en/returns.md.',
  },
  article_left_out: {
    level: 'warn',
    says: 'a file of ARTICLES_DIR is not served',
    fix: 'Fix the error named in cause; "deskside articles check" names its line.',
  },
  front_matter_ignored: {
    level: 'warn',
    says: 'front matter in ARTICLES_DIR has more than is read; the articles are served',
    fix: 'None where it is meant for other programs; "deskside articles check" names each.',
  },
  articles_not_read: {
    level: 'error',
    says: 'ARTICLES_DIR could not be read, and the articles that were read before are served',
    fix: 'Check that the folder exists and that the server’s user may read it; for an err.code that begins with SQLITE_ or is UNREACHABLE run "deskside check".',
  },
  rating_not_told: {
    level: 'warn',
    says: 'RATING_HOOK did not take a rating, and will get it again',
    fix: 'Repair what answers at RATING_HOOK: err has its status, or why it could not be reached.',
  },
  status_page_not_read: {
    level: 'warn',
    says: 'the status page cannot be read, so customers are not told of incidents; the next line about it comes after it was read again',
    fix: 'Run "deskside check": it names what is wrong with the answer of STATUS_PAGE_URL.',
  },
  limits_not_stored: {
    level: 'error',
    says: 'the file of the limits took no count, and memory counts instead',
    fix: fixStore,
  },
  scripts_not_stored: {
    level: 'error',
    says: 'the scripts of this build could not be stored for other instances',
    fix: fixStore,
  },
  service_record_not_stored: {
    level: 'error',
    says: 'the store could not read or record whether the ticket service has ever worked',
    fix: fixStore,
  },
  admin_failed: {
    level: 'error',
    says: 'a request to the admin port failed',
    fix: fixStore,
  },
  store_file_shared: {
    level: 'warn',
    says: 'others on this machine may read a file of the store',
    fix: 'Give the file to the user of the server, or take the rights of others to it away.',
  },
  api_key_unencrypted: {
    level: 'warn',
    says: 'SUPPORT_API_URL is http: the API key travels unencrypted',
    fix: 'Give SUPPORT_API_URL an https address.',
  },
  origins_wide: {
    level: 'warn',
    says: 'ALLOWED_ORIGINS has a wildcard or an app: any subdomain, also one that somebody took over, or any app on a device may show the widget',
    fix: 'Name the sites one by one, unless all subdomains are yours and stay so; those of github.io or co.uk are not. An app proves nothing by its origin.',
  },
  collector_headers_unencrypted: {
    level: 'warn',
    says: 'OTEL_EXPORTER_OTLP_ENDPOINT is http: OTEL_EXPORTER_OTLP_HEADERS travel unencrypted',
    fix: 'Give OTEL_EXPORTER_OTLP_ENDPOINT an https address.',
  },
  traces_not_sent: {
    level: 'warn',
    says: 'traces cannot be sent to the collector',
    fix: 'Check OTEL_EXPORTER_OTLP_ENDPOINT, and that the collector is running.',
  },
  proxies_not_set: {
    level: 'warn',
    says: 'PUBLIC_URL is https and TRUST_PROXY is 0: all customers count as one address and share its limits',
    fix: countProxies,
  },
  proxy_not_trusted: {
    level: 'warn',
    says: 'a request carries X-Forwarded-For and TRUST_PROXY is 0: all customers behind that proxy share the limits of one address',
    fix: countProxies,
  },
  proxy_adds_nothing: {
    level: 'warn',
    says: 'a request carries fewer addresses in X-Forwarded-For than TRUST_PROXY says: customers may share the limits of one address, or pretend to come from another',
    fix: 'Let each proxy add the address that it sees to X-Forwarded-For, and let no request go around them.',
  },
  connection_refused: {
    level: 'warn',
    says: 'a connection was refused: too many connections from one address',
    fix: 'Set TRUST_PROXY if the address is that of a proxy; otherwise block a client that goes on.',
  },
  clock_set: {
    level: 'warn',
    says: 'the system clock was set',
    fix: 'Let NTP keep the clock of this machine, with DATABASE_URL that of the database server.',
  },
  library_error: {
    level: 'error',
    says: 'a library reported an error',
    fix: 'Report this as a bug.',
  },
  stop_too_slow: {
    level: 'error',
    says: 'the server did not stop in time and ends at once',
    fix: 'Do nothing: what was being sent is looked for at the next start.',
  },
  crashed: {
    level: 'fatal',
    says: 'the server ends after an unexpected error',
    fix: 'Start it again, if no supervisor does. If err.code begins with SQLITE_IOERR, check the disk. Otherwise report this as a bug.',
  },
} as const satisfies Record<string, LogCodeEntry> & Record<ServerErrorCode, LogCodeEntry>;

export type LogCode = keyof typeof logCodes;
