import type { Server, ServerOptions } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';

type FetchCallback = Parameters<typeof createAdaptorServer>[0]['fetch'];

/** What a client may cost before it has said anything worth an answer. */
const usualTimes = {
  /** For the headers, from the first moment of a connection: a silent one ends here. */
  headersTimeout: 10_000,
  /** For the whole request, body included. Answers, streams too, may take as long as they like. */
  requestTimeout: 15_000,
  /** Between requests; longer than a reverse proxy keeps its own end open. */
  keepAliveTimeout: 65_000,
  /** How often the times above are looked at. */
  connectionsCheckingInterval: 1_000,
  /** Without a byte moving either way during an answer: a client that stopped reading. Streams beat more often. */
  timeout: 60_000,
};
const maxHeaderBytes = 16 * 1024;
/** All streams, and as many others again. */
const maxConnections = 10_000;

/** Serves on one address, with limits on time, size and number against slow and silent clients. */
export function listen(
  fetch: FetchCallback,
  host: string,
  port: number,
  times: typeof usualTimes = usualTimes,
): Promise<Server> {
  const { timeout, ...rest } = times;
  const serverOptions: ServerOptions = { ...rest, maxHeaderSize: maxHeaderBytes };
  const server = createAdaptorServer({ fetch, serverOptions }) as Server;
  server.timeout = timeout;
  server.maxConnections = maxConnections;
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
