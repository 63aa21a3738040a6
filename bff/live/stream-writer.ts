import type { ServerResponse } from 'node:http';
import type { Coding } from './coding.ts';
import type { StreamText } from './stream-text.ts';

/** How much a stream may buffer for its reader, and for how long. */
export const streamWriterLimits = {
  /** A reader that takes nothing for so long is cut. */
  stuckMs: 30_000,
  /** Bytes that one stream buffers. A `sync` alone may have about 4 MiB, the limit of a read. */
  maxUnsentBytes: 16 * 1024 * 1024,
} as const;

/** Small pieces show that a reader on a slow line makes progress with a long text. */
const pieceBytes = 64 * 1024;

/**
 * Writes to a response as fast as its reader takes it, in pieces. A reader that takes nothing for `stuckMs` is cut, and
 * so is one that would need a buffer of more than `maxUnsentBytes`. It reconnects and starts with a full sync.
 */
export function createStreamWriter(response: ServerResponse, elapsed: () => number, coding: Coding) {
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

  const isStuck = () => fullSince !== null && elapsed() - fullSince > streamWriterLimits.stuckMs;

  response.on('drain', () => {
    fullSince = null;
    flush();
  });

  return {
    write(texts: readonly StreamText[]): void {
      if (response.destroyed) return;
      if (isStuck()) return cut();
      if (isEnding) return;
      const bytes = coding.encode(texts);
      const unsentBytes = waitingBytes + response.writableLength + bytes.length;
      if (unsentBytes > streamWriterLimits.maxUnsentBytes) return cut();
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
