import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { UploadedFile } from '../../../shared/contract/files.ts';
import { AppError } from '../../core/errors.ts';
import { failpoint } from '../../core/failpoint.ts';
import { isTaken, shownPixels, typeOf } from './kinds.ts';
import { CannotErase, erase } from './metadata.ts';
import { cleanName } from './names.ts';
import type { KnownFile, Rows } from './rows.ts';
import type { Scanner } from './scan.ts';
import { type FileStore, StoreAway } from './store.ts';

/*
 * One upload, from the first byte to the row that says it is there. The bytes go to a temporary file as they arrive, so
 * that memory stays flat; there they are looked at, and from there the store gets them. It knows no session and no HTTP.
 */

/** Without a byte. */
const stallMs = 30_000;
/** For all of it: 17 kB/s for 10 MB. */
const uploadMs = 600_000;
/** Long after the time of any upload. */
const abandonedMs = 3_600_000;
const hashedBytes = 262_144;

export type UploadOutcome =
  | 'taken'
  | 'repeated'
  | 'refused_type'
  | 'refused_size'
  | 'infected'
  | 'cut'
  | 'failed';

interface Deps {
  rows: Rows;
  files: FileStore;
  /** Null where no scanner is set. */
  scanner: Scanner | null;
  /** The folder for what arrives. */
  folder: string;
  maxBytes: number;
  /** Media types that are taken. */
  types: readonly string[];
  now: () => number;
  onOutcome: (outcome: UploadOutcome, bytes: number) => void;
  onStoreAway: (error: unknown) => void;
  onScannerAway: (error: unknown) => void;
}

export interface Upload {
  subjectId: string;
  /** Names the upload: another one with this key is the same file. */
  key: string;
  /** As it was given. */
  name: string;
  body: Readable;
}

const diskErrors = new Set([
  'ENOSPC',
  'EDQUOT',
  'EIO',
  'EROFS',
  'EACCES',
  'EPERM',
  'EMFILE',
  'ENFILE',
  'ENOTDIR',
  'EEXIST',
  'ENOENT',
]);
const isOfDisk = (error: unknown): boolean => diskErrors.has(String((error as NodeJS.ErrnoException).code));

const tooLarge = () => new AppError('payload_too_large');
const notTaken = (field?: 'scan') =>
  new AppError('unsupported_media_type', field ? { fields: { [field]: 'invalid' } } : {});

async function writeAll(handle: FileHandle, chunk: Buffer): Promise<void> {
  for (let done = 0; done < chunk.length;)
    done += (await handle.write(chunk, done, chunk.length - done)).bytesWritten;
}

/** SHA-256 of a file, in hex. */
async function hashOf(handle: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  const buffer = Buffer.alloc(hashedBytes);
  for (let at = 0; ;) {
    const { bytesRead } = await handle.read(buffer, 0, hashedBytes, at);
    if (bytesRead === 0) return hash.digest('hex');
    hash.update(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
}

/** The bytes of a request, for as long as they keep coming. The request can still be answered when this ends early. */
export async function* arriving(body: Readable, times = { stallMs, uploadMs }): AsyncGenerator<Buffer> {
  const end = () => void body.destroy(new AppError('invalid_request'));
  const stalled = setTimeout(end, times.stallMs);
  const tooLong = setTimeout(end, times.uploadMs);
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      stalled.refresh();
      yield chunk as Buffer;
    }
  } finally {
    clearTimeout(stalled);
    clearTimeout(tooLong);
  }
}

const uploadedOf = ({ id, name, type, size, width, height }: Omit<KnownFile, 'refused'>): UploadedFile => ({
  id,
  name,
  size,
  type,
  ...(width !== null && height !== null && { width, height }),
});

export function createUploads(deps: Deps) {
  const { rows, files, scanner, folder, maxBytes, types, now, onOutcome } = deps;

  /** Writes the body to the file. Returns its hash. */
  async function receive(handle: FileHandle, body: Readable): Promise<string> {
    const hash = createHash('sha256');
    let size = 0;
    for await (const chunk of arriving(body)) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge();
      hash.update(chunk);
      await writeAll(handle, chunk);
    }
    return hash.digest('hex');
  }

  /** What has arrived, and what of it is kept. */
  async function look(handle: FileHandle, path: string, given: string, arrivedHash: string) {
    const type = await typeOf(path, handle, given);
    if (type === null || !isTaken(type, types)) throw notTaken();
    const { pixels, isChanged, size } = await erase(handle, type).catch((error: unknown) => {
      throw error instanceof CannotErase ? notTaken() : error;
    });
    const { width = null, height = null } = shownPixels(type, pixels) ?? {};
    const sha256 = isChanged ? await hashOf(handle) : arrivedHash;
    return { name: cleanName(given, type), type, size, width, height, sha256 };
  }

  async function scan(path: string): Promise<boolean> {
    if (!scanner) return true;
    return scanner.isClean(path).catch((cause: unknown) => {
      deps.onScannerAway(cause);
      throw new AppError('upstream_unavailable');
    });
  }

  /** Everything but the bookkeeping of failures. `onKept` is called before the store gets anything. */
  async function takeInto(begun: Promise<string>, path: string, upload: Upload, onKept: () => void) {
    const handle = await open(path, 'wx+', 0o600);
    let arrived;
    try {
      arrived = await look(handle, path, upload.name, await receive(handle, upload.body));
    } finally {
      await handle.close();
    }
    const isClean = await scan(path);
    // The row is written while the bytes arrive, and is there before the store gets any.
    const id = await begun;
    if (!isClean) {
      await rows.refuse(id, 'infected');
      throw notTaken('scan');
    }
    failpoint('arrived');
    onKept();
    await files.put(id, path, arrived);
    failpoint('kept');
    // A newer upload of the same file has taken its place.
    if (!(await rows.finish(id, upload.subjectId, arrived))) throw new AppError('operation_in_progress');
    failpoint('uploaded');
    return uploadedOf({ id, ...arrived });
  }

  function outcomeOf(error: unknown): UploadOutcome {
    // The client is gone, or was cut.
    if ((error as NodeJS.ErrnoException).code === 'ECONNRESET') return 'cut';
    if (!(error instanceof AppError)) return 'failed';
    if (error.code === 'payload_too_large') return 'refused_size';
    if (error.code !== 'unsupported_media_type') return error.status >= 500 ? 'failed' : 'cut';
    return error.fields ? 'infected' : 'refused_type';
  }

  /** What the customer is told, which is never what went wrong with the disk. */
  function told(error: unknown): unknown {
    if (!(error instanceof StoreAway) && !isOfDisk(error)) return error;
    deps.onStoreAway(error);
    return new AppError('overloaded');
  }

  return {
    /** What was uploaded under this key before. Null if nothing. */
    async known(subjectId: string, key: string): Promise<UploadedFile | null> {
      const found = await rows.byKey(subjectId, key);
      if (!found) return null;
      if (found.refused !== null) throw notTaken('scan');
      onOutcome('repeated', 0);
      return uploadedOf(found);
    },

    /** @throws {AppError} when it is not taken; nothing of it is kept then */
    async take(upload: Upload): Promise<UploadedFile> {
      const path = join(folder, randomUUID());
      let isKept = false;
      const begun = rows.begin(upload.subjectId, upload.key, upload.name.slice(0, 1_000));
      begun.catch(() => {});
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        const taken = await takeInto(begun, path, upload, () => (isKept = true));
        onOutcome('taken', taken.size);
        return taken;
      } catch (error) {
        await rm(path, { force: true }).catch(() => {});
        const isInfected = error instanceof AppError && error.fields !== undefined;
        // Housekeeping removes what the store may have, and then the row.
        if (!isInfected)
          await begun.then((id) => (isKept ? rows.letGo(id) : rows.remove(id))).catch(() => {});
        const refusal = told(error);
        onOutcome(outcomeOf(refusal), 0);
        throw refusal;
      } finally {
        // S3 has a copy.
        await rm(path, { force: true }).catch(() => {});
      }
    },

    /** Removes what a process that was killed has left in the folder. `before`: Unix milliseconds. */
    async removeAbandoned(before = now() - abandonedMs): Promise<void> {
      for (const name of await readdir(folder).catch(() => [])) {
        const path = join(folder, name);
        const found = await stat(path).catch(() => null);
        if (found && found.mtimeMs < before) await rm(path, { force: true });
      }
    },
  };
}

export type Uploads = ReturnType<typeof createUploads>;
