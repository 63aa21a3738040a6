import { connect, type Socket } from 'node:net';

const dripMs = 1_000;

export interface Attack {
  /** Ends it; answers how many connections the other side had cut by then. */
  stop(): number;
}

/**
 * Keeps this many connections open. Each sends `opening(n)`, and then `drip` once a second. Each that is cut is
 * replaced.
 */
export function startAttack({
  port,
  connections,
  opening,
  drip,
}: {
  port: string;
  connections: number;
  opening: (n: number) => string;
  drip: string;
}): Attack {
  const sockets = new Set<Socket>();
  let cut = 0;
  let isOver = false;
  function open(n: number): void {
    const socket = connect(Number(port), '127.0.0.1');
    sockets.add(socket);
    socket.on('error', () => undefined).resume();
    if (opening(n)) socket.write(opening(n));
    socket.on('close', () => {
      sockets.delete(socket);
      if (isOver) return;
      cut += 1;
      open(n);
    });
  }
  for (let n = 0; n < connections; n += 1) open(n);
  const dripping = setInterval(() => {
    if (drip) for (const socket of sockets) socket.write(drip);
  }, dripMs);
  return {
    stop() {
      isOver = true;
      clearInterval(dripping);
      for (const socket of sockets) socket.destroy();
      return cut;
    },
  };
}
