import type { ServerResponse } from 'node:http';
import type { Coding } from './coding.ts';

/** How much a stream may hold back for its reader, and for how long. */
export const outletLimits = {
  /** A reader that takes nothing of what is there for it for so long is cut. */
  stuckMs: 30_000,
  /** Bytes that one stream keeps in memory. A `sync` alone may have about 4 MiB, the most of a read. */
  maxUnsentBytes: 16 * 1024 * 1024,
} as const;

/** Small enough that a reader on a slow line is seen to take some of a long text. */
const pieceBytes = 64 * 1024;

/**
 * Writes to a response as fast as its reader takes it, in pieces. A reader that was given much at once is not slow: one
 * that takes nothing for `stuckMs` is, and is cut, as is one for whom more than `maxUnsentBytes` would have to be kept.
 * It comes back and starts with a full sync.
 */
export function createOutlet(response: ServerResponse, elapsed: () => number, coding: Coding) {
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  /** Since when the response takes no more; null: it does. */
  let fullSince: number | null = null;
  let isEnding = false;

  function flush(): void {
    while (fullSince === null && waiting.length > 0) {
      const piece = waiting.shift()!;
      waitingBytes -= piece.length;
      if (!response.write(piece)) fullSince = elapsed();
    }
    if (isEnding && waiting.length === 0 && !response.writableEnded) response.end(coding.end());
  }

  function cut(): void {
    waiting = [];
    waitingBytes = 0;
    response.destroy();
  }

  const isStuck = () => fullSince !== null && elapsed() - fullSince > outletLimits.stuckMs;

  response.on('drain', () => {
    fullSince = null;
    flush();
  });

  return {
    write(text: string): void {
      if (response.destroyed) return;
      if (isStuck()) return cut();
      if (isEnding) return;
      const bytes = coding.encode(text);
      const unsentBytes = waitingBytes + response.writableLength + bytes.length;
      if (unsentBytes > outletLimits.maxUnsentBytes) return cut();
      for (let at = 0; at < bytes.length; at += pieceBytes) waiting.push(bytes.subarray(at, at + pieceBytes));
      waitingBytes += bytes.length;
      flush();
    },
    /** Ends after what was written, or at once for a reader that takes nothing. */
    end(): void {
      if (isStuck()) return cut();
      isEnding = true;
      flush();
    },
  };
}
