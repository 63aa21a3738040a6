import type { FileHandle } from 'node:fs/promises';

/*
 * Reads and writes parts of a file, so that no file is ever in memory as a whole. Small reads are answered from a window,
 * since formats consist of many small headers. It knows no format.
 */

/** What would stay in the file is not known, so it must not be kept. */
export class CannotErase extends Error {
  override name = 'CannotErase' as const;
}

const windowBytes = 65_536;
const zeros = Buffer.alloc(windowBytes);
/** Far more than files of cameras need. Each write is a call to the system. */
const most = { writes: 20_000, timesSize: 4 };

export interface Access {
  readonly size: number;
  /** Whether anything was written or cut. */
  readonly isChanged: boolean;
  /** Fewer bytes at the end of the file. Valid until the next read. */
  read(at: number, length: number): Promise<Buffer>;
  write(at: number, bytes: Buffer): Promise<void>;
  /** Writes zeros up to `end`. */
  blank(at: number, end: number): Promise<void>;
  /** Ends the file there. */
  cut(size: number): Promise<void>;
}

export async function accessTo(handle: FileHandle): Promise<Access> {
  let { size } = await handle.stat();
  let isChanged = false;
  const allowedBytes = most.timesSize * size + windowBytes;
  let writes = 0;
  let writtenBytes = 0;
  const window = Buffer.alloc(windowBytes);
  let [from, until] = [0, 0];

  async function fill(buffer: Buffer, at: number, length: number): Promise<number> {
    let filled = 0;
    while (filled < length) {
      const { bytesRead } = await handle.read(buffer, filled, length - filled, at + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return filled;
  }

  async function write(at: number, bytes: Buffer): Promise<void> {
    if (bytes.length === 0) return;
    writes += 1;
    writtenBytes += bytes.length;
    if (writes > most.writes || writtenBytes > allowedBytes) throw new CannotErase();
    for (let done = 0; done < bytes.length;)
      done += (await handle.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
    isChanged = true;
    [from, until] = [0, 0];
  }

  return {
    get size() {
      return size;
    },
    get isChanged() {
      return isChanged;
    },
    async read(at, length) {
      if (length > windowBytes) {
        const buffer = Buffer.alloc(Math.max(0, Math.min(length, size - at)));
        return buffer.subarray(0, await fill(buffer, at, buffer.length));
      }
      if (at < from || at + length > until) {
        from = at;
        until = at + (await fill(window, at, windowBytes));
      }
      return window.subarray(at - from, Math.min(at - from + length, until - from));
    },
    write,
    async blank(at, end) {
      const last = Math.min(end, size);
      for (let next = at; next < last; next += windowBytes)
        await write(next, zeros.subarray(0, Math.min(windowBytes, last - next)));
    },
    async cut(length) {
      if (length >= size) return;
      await handle.truncate(length);
      size = length;
      isChanged = true;
      [from, until] = [0, 0];
    },
  };
}
