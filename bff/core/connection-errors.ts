/*
 * What failed in a connection to another server (the ticket service, the database, the mail server), in words for the
 * operator. It knows the codes of Node.js, OpenSSL and undici, and the sentences of the database driver without a code.
 */

const reasons: [RegExp, string][] = [
  // Before the timeouts: it names parameters such as statement_timeout.
  [
    /unsupported startup parameter: options/,
    'PgBouncer takes no connections for migrations and notifications: set DATABASE_NOTIFY_URL to the database server itself',
  ],
  [
    /unsupported startup parameter/,
    'PgBouncer refuses parameters of the connection: set its ignore_startup_parameters as docs/operating.md says',
  ],
  [
    /query_wait_timeout/,
    'PgBouncer had no connection to the server free in time: raise its default_pool_size, or find what keeps them',
  ],
  [
    /not allowed in statement pooling mode/,
    'PgBouncer runs each statement on its own: set its pool_mode to transaction',
  ],
  [
    /no more connections allowed/,
    'PgBouncer takes no more connections: raise its max_client_conn, to 14 for each instance',
  ],
  [
    /server (login has been failing|conn crashed|down)|cannot connect to server/,
    'PgBouncer answers, and does not reach the database server itself',
  ],
  [/^in_hot_standby$/, 'it is a standby, whose content may be old: name the primary server'],
  [/^ECONNREFUSED$/, 'nothing listens at that host and port'],
  [/^(ENOTFOUND|EAI_AGAIN|EDNS)$/, 'the name of the host is not known to DNS'],
  [/^(EHOSTUNREACH|ENETUNREACH)$/, 'there is no route to that host'],
  [
    /^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$|timeout/i,
    'no answer came in time: a firewall may be in the way, or the port is another one',
  ],
  [/^(ENOENT|EACCES)$/, 'there is no socket at that path, or this user may not use it'],
  [
    /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+)$/,
    'its certificate is of an authority that this process does not trust: name the file of that authority in NODE_EXTRA_CA_CERTS',
  ],
  [/^CERT_HAS_EXPIRED$/, 'its certificate has expired'],
  [/^CERT_NOT_YET_VALID$/, 'its certificate is not valid yet: compare the clocks'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'its certificate is for another name than that of the address'],
  [
    /^ERR_SSL_WRONG_VERSION_NUMBER$|wrong version number|packet length too long/,
    'no TLS is spoken at that port',
  ],
  [/does not support SSL/, 'it offers no TLS, and the address asks for it: take sslmode out, or turn TLS on'],
  [/^(EPROTO|ETLS|ERR_SSL_\w+|ERR_TLS_\w+|CERT_\w+)$/, 'TLS failed'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$|terminated unexpectedly/, 'the connection was closed'],
];

const reasonOf = (text: string) => reasons.find(([pattern]) => pattern.test(text))?.[1];

/** What went wrong, by the code of an error. Null for any other code. */
export const explainCode = (code: string): string | null => {
  const reason = reasonOf(code);
  return reason ? `${reason} (${code})` : null;
};

/** What went wrong in a connection. Null for any other error. */
export function explainConnection(error: unknown, depth = 0): string | null {
  if (!(error instanceof Error) || depth > 5) return null;
  const { code, originalCode, message } = error as Error & { code?: unknown; originalCode?: unknown };
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  // Its cause is the closed connection: the driver closes it.
  if (/due to connection timeout/.test(message)) return reasonOf(message)!;
  return (
    explainConnection(inner, depth + 1) ??
    [originalCode, code].map((each) => explainCode(String(each))).find(Boolean) ??
    reasonOf(message) ??
    null
  );
}
