import type { Server, ServerOptions } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { clientAddress } from './limits/client-address.ts';
import { createSocketLimits, type SocketShares, usualShares } from './limits/sockets.ts';

type FetchCallback = Parameters<typeof createAdaptorServer>[0]['fetch'];

/** Time limits against slow clients. */
const usualTimes = {
  /** For the headers, from the start of the connection. */
  headersTimeout: 10_000,
  /** For the whole request with its body. Answers, streams too, have no limit. */
  requestTimeout: 15_000,
  /** Between requests; longer than a reverse proxy keeps its own end open. */
  keepAliveTimeout: 65_000,
  /** How often the times above are looked at. */
  connectionsCheckingInterval: 1_000,
  /** Without any byte during an answer: the client stopped reading. Streams send something more often. */
  timeout: 60_000,
};
const maxHeaderBytes = 16 * 1024;

interface Options {
  times?: typeof usualTimes;
  shares?: SocketShares;
  /** A proxy of ours has the connections, and limits them for each client. */
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
  // A client that kept its connection could send the next request just when that is closed.
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

/** Takes no more connections and waits for the answers under way. */
export async function close(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  // A connection whose answer is finished would stay open until its keep-alive time is over.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  await closed;
  clearInterval(sweep);
}
