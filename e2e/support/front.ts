import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** Writes that have arrived and are not passed on for now. */
export interface PausedWrites {
  /** Resolves when the first has arrived. */
  arrived: Promise<void>;
  release(): void;
}

/** A proxy in front of the ticket service that pauses or drops the BFF's writes as a test asks. Reads always pass. */
export interface Front {
  url: string;
  /** `before`: the service does not see them yet; `after`: it has executed them, and its answers wait. */
  pauseWrites(when: 'before' | 'after'): PausedWrites;
  /** The service executes the next write, and its answer is lost. */
  dropNextAnswer(): void;
  /** From now on connections are refused, as when the service is stopped; the service itself runs on. */
  close(): Promise<void>;
  reopen(): Promise<void>;
}

export async function startFront(serviceUrl: string): Promise<Front> {
  let paused: { when: 'before' | 'after'; arrive: () => void; released: Promise<void> } | null = null;
  let isDropping = false;

  async function pause(when: 'before' | 'after'): Promise<void> {
    if (paused?.when !== when) return;
    paused.arrive();
    await paused.released;
  }

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', headers } = request;
    const isWrite = method === 'POST';
    const body = await text(request);
    if (isWrite) await pause('before');
    // The client has disconnected, so the answer is not needed.
    if (response.destroyed) return;
    const answer = await fetch(new URL(url, serviceUrl), {
      method,
      headers: { Authorization: headers.authorization ?? '', 'Content-Type': 'application/json' },
      ...(isWrite ? { body } : {}),
    });
    const answerBody = await answer.text();
    const isLost = isWrite && isDropping;
    if (isWrite) {
      isDropping = false;
      await pause('after');
    }
    if (isLost) response.destroy();
    else response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(answerBody);
  }

  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy());
  });
  await listen(server, 0);
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://localhost:${port}`,
    pauseWrites(when) {
      let arrive = () => {};
      let release = () => {};
      const arrived = new Promise<void>((resolve) => (arrive = resolve));
      const released = new Promise<void>((resolve) => (release = resolve));
      paused = { when, arrive, released };
      return {
        arrived,
        release() {
          paused = null;
          release();
        },
      };
    },
    dropNextAnswer() {
      isDropping = true;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    reopen: () => listen(server, port),
  };
}

const listen = (server: Server, port: number) =>
  new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
