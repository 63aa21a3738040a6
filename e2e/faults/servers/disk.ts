import { existsSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/*
 * Preloaded into the BFF: while the file `DISK_FULL` is there, nothing more can be written to a file that is open. SQLite
 * writes by itself, and goes on.
 */
const marker = process.env['DISK_FULL'] ?? '';

const handle = await open(process.execPath);
const methods = Object.getPrototypeOf(handle) as FileHandle;
await handle.close();
const write = methods.write as (...args: unknown[]) => Promise<unknown>;
const isFull = () => Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
Object.assign(methods, {
  write(this: FileHandle, ...args: unknown[]) {
    return existsSync(marker) ? Promise.reject(isFull()) : write.apply(this, args);
  },
});
