import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Db } from '../db/open.ts';
import { pictureType } from './kinds.ts';

/** A file that an agent has attached. */
export interface KeptFile {
  name: string;
  /** Of a picture; all else is null. */
  type: string | null;
  size: number;
}

/** More bytes came than are taken. */
export class TooLarge extends Error {}

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex');

async function* atMost(bytes: AsyncIterable<Uint8Array>, max: number) {
  let size = 0;
  for await (const part of bytes) {
    size += part.length;
    if (size > max) throw new TooLarge();
    yield part;
  }
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const head = Buffer.alloc(16);
    const { bytesRead } = await file.read(head);
    return head.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/**
 * The files that agents have attached, in a folder beside the database. A file is named by the hash of its token: who
 * reads the folder does not learn the links.
 */
export function createFileStore(db: Db, folder: string, maxBytes: number) {
  return {
    maxBytes,

    /**
     * Keeps a file, and returns the token of its link: 128 bits, as 22 characters.
     * @throws {TooLarge}
     */
    async keep(
      { name, workspaceId, agentId }: { name: string; workspaceId: string; agentId: string },
      bytes: AsyncIterable<Uint8Array>,
      now: Date,
    ): Promise<KeptFile & { token: string }> {
      const token = randomBytes(16).toString('base64url');
      const hash = hashOf(token);
      const path = join(folder, hash);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      try {
        const arriving = createWriteStream(`${path}.part`, { flags: 'wx', mode: 0o600, flush: true });
        await pipeline(atMost(bytes, maxBytes), arriving);
        await rename(`${path}.part`, path);
      } catch (error) {
        await rm(`${path}.part`, { force: true });
        throw error;
      }
      const { size } = await stat(path);
      const type = pictureType(await headOf(path));
      db.prepare(
        `INSERT INTO files (token_hash, workspace_id, agent_id, name, type, size, created_at)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
      ).run(hash, workspaceId, agentId, name, type, size, now.toISOString());
      return { name, type, size, token };
    },

    find(token: string): KeptFile | undefined {
      return db
        .prepare<[string], KeptFile>('SELECT name, type, size FROM files WHERE token_hash = ?')
        .get(hashOf(token));
    },

    read: (token: string) => createReadStream(join(folder, hashOf(token))),
  };
}

export type FileStore = ReturnType<typeof createFileStore>;
