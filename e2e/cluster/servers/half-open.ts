import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

interface Pair {
  client: Socket;
  server: Socket;
}

/**
 * A connection path to a server on this machine that can be cut like a broken network: bytes no longer pass, and
 * neither side is notified. New connections are accepted and stay silent.
 */
export async function startHalfOpen(targetPort: number) {
  const pairs = new Set<Pair>();
  let isCut = false;

  function drop(pair: Pair): void {
    pairs.delete(pair);
    pair.client.destroy();
    pair.server.destroy();
  }

  /** What one side does during a cut reaches the other side after it. */
  const isOver = ({ client, server }: Pair) => client.destroyed || server.destroyed;

  const listener = createServer({ pauseOnConnect: true, noDelay: true }, (client) => {
    const server = connect({ host: '127.0.0.1', port: targetPort, noDelay: true });
    const pair = { client, server };
    pairs.add(pair);
    for (const socket of [client, server]) {
      const other = socket === client ? server : client;
      socket.on('data', (bytes) => {
        if (!other.write(bytes)) socket.pause();
      });
      other.on('drain', () => {
        if (!isCut) socket.resume();
      });
      socket.on('error', () => {});
      socket.on('close', () => {
        if (!isCut) drop(pair);
      });
      if (isCut) socket.pause();
      else socket.resume();
    }
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));

  return {
    port: (listener.address() as AddressInfo).port,
    cut(): void {
      isCut = true;
      for (const { client, server } of pairs) {
        client.pause();
        server.pause();
      }
    },
    heal(): void {
      isCut = false;
      for (const pair of pairs) {
        if (isOver(pair)) drop(pair);
        else {
          pair.client.resume();
          pair.server.resume();
        }
      }
    },
    async stop(): Promise<void> {
      for (const pair of pairs) drop(pair);
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}

export type HalfOpen = Awaited<ReturnType<typeof startHalfOpen>>;
