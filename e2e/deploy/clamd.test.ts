import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createScanner } from '../../bff/extras/files/scan.ts';
import { freePort, listening, spawnOwned } from '../../scripts/processes.ts';

const clamd = '/usr/sbin/clamd';
/** The harmless file by which scanners are tested, in two parts, so that no scanner takes this file for it. */
const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');
const maxBytes = 1_048_576;

describe.skipIf(!existsSync(clamd))('a real clamd', () => {
  let dir: string;
  let running: ReturnType<typeof spawnOwned>;
  let scanner: ReturnType<typeof createScanner>;
  const scan = async (bytes: string | Buffer) => {
    const path = join(dir, 'file');
    await writeFile(path, bytes);
    return scanner.isClean(path);
  };

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'clamd-'));
    const database = join(dir, 'database');
    await mkdir(database);
    // A signature of its own in place of the database, which takes a download.
    await writeFile(join(database, 'test.ndb'), `Eicar:0:0:${Buffer.from(eicar).toString('hex')}\n`);
    const port = await freePort();
    const settings = {
      Foreground: 'yes',
      TCPSocket: port,
      TCPAddr: '127.0.0.1',
      DatabaseDirectory: database,
      StreamMaxLength: maxBytes,
      TemporaryDirectory: dir,
    };
    const config = join(dir, 'clamd.conf');
    await writeFile(
      config,
      Object.entries(settings).map((pair) => `${pair.join(' ')}\n`),
    );
    running = spawnOwned(clamd, ['-c', config], { stdio: 'ignore' });
    await listening(port);
    scanner = createScanner(`clamd://127.0.0.1:${port}`);
  });
  afterAll(async () => {
    await running.stop();
    await rm(dir, { recursive: true, force: true });
  });

  it('answers, lets a clean file pass and finds what it has a signature of', async () => {
    await scanner.ping();
    expect([await scan('hello'), await scan(Buffer.alloc(maxBytes)), await scan(eicar)]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('that is sent more than StreamMaxLength lets nothing pass', async () => {
    await expect(scan(Buffer.alloc(3 * maxBytes))).rejects.toThrow(/EPIPE|ECONNRESET|no result/);
  });
});
