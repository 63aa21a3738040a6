import { once } from 'node:events';
import { lstatSync, unlinkSync } from 'node:fs';
import type { Server, ServerOptions } from 'node:http';
import { connect } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { maxBodyBytes } from '../shared/contract/limits.ts';
import { limitBodyTime } from './core/http/body-time.ts';
import { clientAddress } from './core/limits/client-address.ts';
import { createSocketLimits, type SocketShares, usualShares } from './core/limits/connections.ts';
import { errorCode } from './core/v1/failure.ts';

type FetchCallback = Parameters<typeof createAdaptorServer>[0]['fetch'];

/** Time limits against slow clients. */
const usualTimes = {
  /** From the start of the connection to the end of the headers. */
  headersTimeout: 10_000,
  /**
   * For the whole request with its body, which has a millisecond more for each of its bytes: a long text takes half a
   * minute over the slowest networks. Answers, including streams, have no limit.
   */
  requestTimeout: 15_000,
  /** The same where a route takes the limit away, such as for a large file over a slow network. */
  longestRequest: 660_000,
  /** Between requests. Longer than the time for which a reverse proxy keeps its connections. */
  keepAliveTimeout: 65_000,
  /** How often these limits are checked. */
  connectionsCheckingInterval: 1_000,
  /** Without any byte during an answer, because the client stopped reading. Streams send something more often. */
  timeout: 60_000,
};
const maxHeaderBytes = 16 * 1024;
/**
 * How many connections wait until the process has time for them, if the system allows as many. Others get no answer, and
 * their browsers try again after 1 s, 3 s, 7 s …
 */
const backlog = 4_096;

interface Options {
  times?: typeof usualTimes;
  shares?: SocketShares;
  /** Our own proxy has the connections, and limits them for each client. */
  isBehindProxy?: boolean;
  /** Called when a connection is cut because its address has its share. */
  onRefused?: () => void;
}

/**
 * Serves on one address, with limits on time, size and number against slow, silent and greedy clients.
 * @param port a path for a Unix socket
 */
export async function listen(
  fetch: FetchCallback,
  host: string,
  port: number | string,
  { times = usualTimes, shares = usualShares, isBehindProxy = false, onRefused }: Options = {},
): Promise<Server> {
  const { timeout, requestTimeout, longestRequest, ...rest } = times;
  const serverOptions: ServerOptions = {
    ...rest,
    requestTimeout: longestRequest,
    maxHeaderSize: maxHeaderBytes,
  };
  // A health check over HTTP/1.0 names no host.
  const hostname = 'localhost';
  const server = createAdaptorServer({ fetch: fetchUntilClosed, hostname, serverOptions }) as Server;
  // A client could send its next request just when its kept connection is closed.
  async function fetchUntilClosed(...[request, env]: Parameters<FetchCallback>) {
    const length = Number(env.incoming.headers['content-length'] ?? 0);
    limitBodyTime(env.incoming, requestTimeout + Math.min(length, maxBodyBytes));
    const answer = await fetch(request, env);
    if (!server.listening && !env.outgoing.headersSent) env.outgoing.setHeader('Connection', 'close');
    return answer;
  }
  server.timeout = timeout;
  // Node would leave out further headers, such as what the proxies append. Their size is limited above.
  server.maxHeadersCount = 0;
  server.maxConnections = shares.inAll;
  const limits = createSocketLimits(shares);
  if (!isBehindProxy)
    server.on('connection', (socket) => {
      const end = limits.take(clientAddress(socket.remoteAddress, undefined, 0));
      if (end) return void socket.once('close', end);
      socket.destroy();
      onRefused?.();
    });
  if (typeof port === 'string') await removeUnserved(port);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    const onListening = () => resolve(server);
    // The folder of the socket says who may connect.
    if (typeof port === 'string')
      server.listen({ path: port, readableAll: true, writableAll: true, backlog }, onListening);
    else server.listen({ port, host, backlog }, onListening);
  });
}

/**
 * Removes the socket that a process left behind when it was killed. Then connections are refused. They fail otherwise if
 * the process has no time for them, if it serves something else, or if only others may connect.
 */
async function removeUnserved(path: string): Promise<void> {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSocket()) return;
  const socket = connect(path);
  const isLeft = await once(socket, 'connect').then(
    () => false,
    (error: unknown) => errorCode(error) === 'ECONNREFUSED',
  );
  socket.destroy();
  if (isLeft) unlinkSync(path);
}

/** Accepts no more connections and waits for the answers in progress. */
export async function close(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  // After its answer, a connection would stay open until its keep-alive time is over.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  await closed;
  clearInterval(sweep);
}
