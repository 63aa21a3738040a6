import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** Below the range of ephemeral ports, so that nobody takes the port during an outage. */
const firstPort = 20_000;
const ports = 10_000;

/** A server on loopback that can be closed for a while, and then opened again at the same address. */
export async function startSwitchableServer(
  handle: (incoming: IncomingMessage, response: ServerResponse) => Promise<void>,
) {
  const server = createServer((incoming, response) => {
    response.on('error', () => undefined);
    // A caller that disconnects aborts its own request body.
    handle(incoming, response).catch(() => response.destroy());
  });
  server.keepAliveTimeout = 60_000;

  const listen = (port: number) =>
    new Promise<boolean>((resolve) => {
      const onError = () => resolve(false);
      server.once('error', onError);
      server.listen(port, '127.0.0.1', () => {
        server.off('error', onError);
        resolve(true);
      });
    });
  let port: number;
  do port = firstPort + Math.floor(Math.random() * ports);
  while (!(await listen(port)));

  return {
    url: `http://127.0.0.1:${port}`,
    /** False when something else has the port. */
    reopen: () => listen(port),
    /** Closes all connections. */
    async close(): Promise<void> {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
