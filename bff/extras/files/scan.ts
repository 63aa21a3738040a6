import { open } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';

/* Asks a scanner for viruses, by the INSTREAM command of clamd. It knows nothing of uploads and of what follows. */

export interface Scanner {
  /**
   * Whether nothing was found in the file.
   * @throws when the scanner is away, or says neither
   */
  isClean(path: string): Promise<boolean>;
  /** @throws when the scanner is away */
  ping(): Promise<void>;
}

/** For all of one scan. */
const usualMs = 60_000;
const chunkBytes = 65_536;
const maxAnswerBytes = 4_096;

/** Sends a command, and what `feed` writes, which is told whether more is wanted. Returns the answer. */
async function ask(
  host: string,
  port: number,
  ms: number,
  command: string,
  feed?: (write: (bytes: Buffer) => Promise<boolean>) => Promise<void>,
): Promise<string> {
  const socket: Socket = connect({ host, port });
  const limit = setTimeout(() => socket.destroy(new Error('the scanner did not answer in time')), ms);
  let answer = '';
  const ended = new Promise<void>((resolve, reject) => {
    socket.on('data', (chunk: Buffer) => {
      if (answer.length < maxAnswerBytes) answer += chunk.toString('latin1');
    });
    socket.once('close', () => resolve());
    socket.once('error', reject);
  });
  // While something is written, nobody waits for it.
  ended.catch(() => {});
  const write = async (bytes: Buffer): Promise<boolean> => {
    if (!socket.destroyed && !socket.write(bytes)) await Promise.race([once(socket, 'drain'), ended]);
    return !socket.destroyed;
  };
  try {
    await write(Buffer.from(`z${command}\0`));
    await feed?.(write);
    await ended;
    return answer.replace(/\0.*$/s, '');
  } finally {
    clearTimeout(limit);
    socket.destroy();
  }
}

/** @param address such as `clamd://127.0.0.1:3310` */
export function createScanner(address: string, ms = usualMs): Scanner {
  const { hostname, port } = new URL(address);
  const host = hostname.replace(/^\[|\]$/g, '');
  const at = Number(port || 3310);
  const length = (bytes: number): Buffer => {
    const header = Buffer.alloc(4);
    header.writeUInt32BE(bytes);
    return header;
  };

  return {
    async isClean(path) {
      const handle = await open(path, 'r');
      try {
        const answer = await ask(host, at, ms, 'INSTREAM', async (write) => {
          for (let from = 0; ;) {
            // A buffer of its own each time, since the socket may still have the last one.
            const { bytesRead, buffer } = await handle.read(Buffer.alloc(chunkBytes), 0, chunkBytes, from);
            const isOpen = await write(Buffer.concat([length(bytesRead), buffer.subarray(0, bytesRead)]));
            // It may answer before it has all, such as that it is too much.
            if (bytesRead === 0 || !isOpen) return;
            from += bytesRead;
          }
        });
        if (answer.endsWith(': OK')) return true;
        if (answer.endsWith(' FOUND')) return false;
        throw new Error('the scanner gave no result');
      } finally {
        await handle.close();
      }
    },

    async ping() {
      const answer = await ask(host, at, Math.min(ms, 5_000), 'PING');
      if (answer !== 'PONG') throw new Error('what answers there is no clamd');
    },
  };
}
