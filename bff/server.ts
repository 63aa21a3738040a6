import type { Server, ServerOptions } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { clientAddress } from './limits/client-address.ts';
import { createSocketLimits, type SocketShares, usualShares } from './limits/sockets.ts';

type FetchCallback = Parameters<typeof createAdaptorServer>[0]['fetch'];

/** Time limits against slow clients. */
const usualTimes = {
  /** From the start of the connection to the end of the headers. */
  headersTimeout: 10_000,
  /** For the whole request with its body. Answers, including streams, have no limit. */
  requestTimeout: 15_000,
  /** Between requests. Longer than the time for which a reverse proxy keeps its connections. */
  keepAliveTimeout: 65_000,
  /** How often these limits are checked. */
  connectionsCheckingInterval: 1_000,
  /** Without any byte during an answer, because the client stopped reading. Streams send something more often. */
  timeout: 60_000,
};
const maxHeaderBytes = 16 * 1024;

interface Options {
  times?: typeof usualTimes;
  shares?: SocketShares;
  /** Our own proxy has the connections, and limits them for each client. */
  isBehindProxy?: boolean;
  /** Called when a connection is cut because its address has its share. */
  onRefused?: () => void;
}

/** Serves on one address, with limits on time, size and number against slow, silent and greedy clients. */
export function listen(
  fetch: FetchCallback,
  host: string,
  port: number,
  { times = usualTimes, shares = usualShares, isBehindProxy = false, onRefused }: Options = {},
): Promise<Server> {
  const { timeout, ...rest } = times;
  const serverOptions: ServerOptions = { ...rest, maxHeaderSize: maxHeaderBytes };
  const server = createAdaptorServer({ fetch: fetchUntilClosed, serverOptions }) as Server;
  // A client could send its next request just when its kept connection is closed.
  async function fetchUntilClosed(...[request, env]: Parameters<FetchCallback>) {
    const answer = await fetch(request, env);
    if (!server.listening && !env.outgoing.headersSent) env.outgoing.setHeader('Connection', 'close');
    return answer;
  }
  server.timeout = timeout;
  server.maxConnections = shares.inAll;
  const limits = createSocketLimits(shares);
  if (!isBehindProxy)
    server.on('connection', (socket) => {
      const end = limits.take(clientAddress(socket.remoteAddress, undefined, 0));
      if (end) return void socket.once('close', end);
      socket.destroy();
      onRefused?.();
    });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve(server));
  });
}

/** Accepts no more connections and waits for the answers in progress. */
export async function close(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  // After its answer, a connection would stay open until its keep-alive time is over.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  await closed;
  clearInterval(sweep);
}
