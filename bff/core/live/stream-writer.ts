import type { ServerResponse } from 'node:http';

/** How much a stream may buffer for its reader, and for how long. */
export const streamWriterLimits = {
  /** A reader that accepts nothing for this long is disconnected. */
  stuckMs: 30_000,
  /** The maximum buffer of one stream, in bytes. A `sync` alone may have about 4 MiB, the limit of a read. */
  maxUnsentBytes: 16 * 1024 * 1024,
  /** The same of all streams together. Beyond it, a reader that does not accept at once what is sent is disconnected. */
  maxUnsentBytesInAll: 128 * 1024 * 1024,
} as const;

/** Small pieces show that a reader on a slow line makes progress with a long text. */
const pieceBytes = 64 * 1024;

/** Removes the first bytes of what waits, and returns them. Streams of one ticket share what waits, so it is copied late. */
function takePiece(waiting: Buffer[]): Buffer {
  const taken: Buffer[] = [];
  for (let free = pieceBytes; free > 0 && waiting.length > 0; free -= taken.at(-1)!.length) {
    const first = waiting[0]!;
    taken.push(first.subarray(0, free));
    if (first.length > free) waiting[0] = first.subarray(free);
    else waiting.shift();
  }
  return taken.length === 1 ? taken[0]! : Buffer.concat(taken);
}

/**
 * Writes to a response as fast as its reader accepts data, in pieces. A reader that accepts nothing for `stuckMs`, or
 * would need too large a buffer, is disconnected: it reconnects and starts with a full sync. A class, so that thousands of
 * open streams share its functions.
 */
export class StreamWriter {
  readonly #response: ServerResponse;
  readonly #elapsed: () => number;
  readonly #inAll: { unsentBytes: number };
  /** Null when nothing waits. */
  #waiting: Buffer[] | null = null;
  #waitingBytes = 0;
  /** The time since when the response accepts no data. Null while it accepts data. */
  #fullSince: number | null = null;
  #isEnding = false;

  /** @param inAll what waits in all streams; the writers of all count in it */
  constructor(response: ServerResponse, elapsed: () => number, inAll: { unsentBytes: number }) {
    this.#response = response;
    this.#elapsed = elapsed;
    this.#inAll = inAll;
    response.on('drain', () => {
      this.#fullSince = null;
      this.#flush();
    });
  }

  #flush(): void {
    while (this.#fullSince === null && this.#waiting) {
      const piece = takePiece(this.#waiting);
      if (this.#waiting.length === 0) this.#waiting = null;
      this.#count(-piece.length);
      if (!this.#response.write(piece)) this.#fullSince = this.#elapsed();
    }
    if (this.#isEnding && !this.#waiting && !this.#response.writableEnded) this.#response.end();
  }

  #count(bytes: number): void {
    this.#waitingBytes += bytes;
    this.#inAll.unsentBytes += bytes;
  }

  /** To be called when the response has closed: nothing waits for its reader any more. */
  forget(): void {
    this.#waiting = null;
    this.#count(-this.#waitingBytes);
  }

  #cut(): void {
    this.forget();
    this.#response.destroy();
  }

  get #isStuck(): boolean {
    return this.#fullSince !== null && this.#elapsed() - this.#fullSince > streamWriterLimits.stuckMs;
  }

  write(parts: readonly Buffer[]): void {
    if (this.#response.destroyed) return;
    if (this.#isStuck) return this.#cut();
    if (this.#isEnding) return;
    const bytes = parts.reduce((sum, { length }) => sum + length, 0);
    const unsentBytes = this.#waitingBytes + this.#response.writableLength + bytes;
    if (unsentBytes > streamWriterLimits.maxUnsentBytes) return this.#cut();
    this.#waiting = [...(this.#waiting ?? []), ...parts];
    this.#count(bytes);
    this.#flush();
    if (this.#waiting && this.#inAll.unsentBytes > streamWriterLimits.maxUnsentBytesInAll) this.#cut();
  }

  /** Ends the stream after everything written, or at once when the reader accepts nothing. */
  end(): void {
    if (this.#isStuck) return this.#cut();
    this.#isEnding = true;
    this.#flush();
  }
}
