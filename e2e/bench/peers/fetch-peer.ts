import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const call = promisify(execFile);

/** Fixed, so that runs of different days are compared with the same. */
export const peerVersions = {
  '@sentry/browser': '11.12.0',
  '@n8n/chat': '1.37.0',
  fastify: '5.12.8',
  '@fastify/http-proxy': '11.6.3',
} as const;

type Peer = keyof typeof peerVersions;

/** Kept for the next run, complete or not there. */
async function once(name: string, fill: (dir: string) => Promise<unknown>): Promise<string> {
  const dir = join(tmpdir(), 'deskside-bench-peers', name);
  if (existsSync(dir)) return dir;
  const partial = `${dir}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true });
  await fill(partial);
  await rename(partial, dir);
  return dir;
}

const spec = (peer: Peer) => `${peer}@${peerVersions[peer]}`;
const folderName = (peers: readonly Peer[]) => peers.map(spec).join('+').replaceAll('/', '-');

/**
 * Installs packages outside the project, without their install scripts; answers the folder with `node_modules/`.
 * @throws when they cannot be fetched
 */
export const installPeers = (...peers: Peer[]) =>
  once(folderName(peers), (dir) =>
    call('npm', [
      'install',
      '--prefix',
      dir,
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      ...peers.map(spec),
    ]),
  );

/**
 * Unpacks one package without its dependencies. Returns its folder.
 * @throws when it cannot be fetched
 */
export async function unpackPeer(peer: Peer): Promise<string> {
  const dir = await once(`${folderName([peer])}.pack`, async (into) => {
    await call('npm', ['pack', '--pack-destination', into, spec(peer)]);
    const archive = (await readdir(into)).find((name) => name.endsWith('.tgz'))!;
    await call('tar', ['-xzf', join(into, archive), '-C', into]);
  });
  return join(dir, 'package');
}
