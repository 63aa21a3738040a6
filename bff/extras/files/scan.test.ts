import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startBff, type TestBff } from '../../testing/bff.ts';
import { createScanner } from './scan.ts';
import { fileValues, upload } from './testing/upload.ts';

const virus = 'X5O!P%@AP-EICAR';
const maxScanned = 500_000;

/** Speaks as clamd does: one command, then chunks with their length, then an empty one. */
const clamd = createServer((socket) => {
  let bytes = Buffer.alloc(0);
  socket.on('error', () => {});
  socket.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    if (bytes.toString('latin1') === 'zPING\0') return void socket.end('PONG\0');
    let at = 'zINSTREAM\0'.length;
    const scanned: Buffer[] = [];
    while (at + 4 <= bytes.length) {
      const length = bytes.readUInt32BE(at);
      if (at > maxScanned) return void socket.end('INSTREAM size limit exceeded. ERROR\0');
      if (length === 0) {
        const isFound = Buffer.concat(scanned).includes(virus);
        return void socket.end(isFound ? 'stream: Eicar-Signature FOUND\0' : 'stream: OK\0');
      }
      if (at + 4 + length > bytes.length) return;
      scanned.push(bytes.subarray(at + 4, at + 4 + length));
      at += 4 + length;
    }
  });
});
/** Takes connections, and says nothing. */
const silent = createServer((socket) => void socket.on('error', () => {}).resume());
const addressOf = (server: Server) => `clamd://127.0.0.1:${(server.address() as AddressInfo).port}`;

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'scan-'));
  for (const server of [clamd, silent]) await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => {
  rmSync(folder, { recursive: true });
  clamd.close();
  silent.close();
});
const fileOf = (content: string) => {
  const path = join(folder, 'file');
  writeFileSync(path, content);
  return path;
};

describe('a scanner', () => {
  it('finds a virus at the border of two chunks, and nothing in a clean file', async () => {
    const scanner = createScanner(addressOf(clamd));
    await scanner.ping();
    expect(await scanner.isClean(fileOf('a'.repeat(65_530) + virus + 'b'.repeat(200_000)))).toBe(false);
    expect(await scanner.isClean(fileOf('a'.repeat(300_000)))).toBe(true);
    expect(await scanner.isClean(fileOf(''))).toBe(true);
  });

  it('that refuses the size, says nothing or is away gives no result', async () => {
    await expect(
      createScanner(addressOf(clamd)).isClean(fileOf('a'.repeat(2_000_000))),
    ).rejects.toBeInstanceOf(Error);
    await expect(createScanner(addressOf(silent), 100).isClean(fileOf('a'))).rejects.toThrow('in time');
    await expect(createScanner('clamd://127.0.0.1:1').isClean(fileOf('a'))).rejects.toBeInstanceOf(Error);
  });
});

describe('an upload', () => {
  let bff: TestBff;
  const start = async (server: string) => {
    bff = await startBff({ values: { ...fileValues, FILES_SCAN: server } });
  };
  beforeEach(() => start(addressOf(clamd)));
  afterEach(() => bff.stop());

  it('with a virus is refused with a reason, also when it is repeated, and a clean one is taken', async () => {
    const browser = bff.browser();
    expect((await upload(bff, browser, Buffer.from('clean'), { name: 'a.txt' })).status).toBe(201);
    const key = '7b0e9f1c-4f0a-4d4f-9a56-0d5a6e9d1c11';
    for (let n = 0; n < 2; n += 1) {
      const { status, error } = await upload(bff, browser, Buffer.from(virus), { name: 'a.txt', key });
      expect([status, error.code, error.fields]).toEqual([
        415,
        'unsupported_media_type',
        { scan: 'invalid' },
      ]);
    }
    const rows = await bff.store.selectFrom('files').select(['refused', 'size']).orderBy('id').execute();
    expect(rows).toEqual([
      { refused: null, size: 5 },
      { refused: 'infected', size: null },
    ]);
  });

  it('is not taken while the scanner is away, and the operator is told', async () => {
    await bff.stop();
    await start('clamd://127.0.0.1:1');
    const { status } = await upload(bff, bff.browser(), Buffer.from('clean'), { name: 'a.txt' });
    expect(status).toBe(503);
    expect(bff.logLines.some((line) => line.includes('file_scanner_failed'))).toBe(true);
    expect(await bff.store.selectFrom('files').selectAll().execute()).toEqual([]);
  });
});
