import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { freePort, listening } from '../../scripts/processes.ts';
import { caddyOptions, caddyRoot } from './proxies.ts';

/** A block of a page. The text after `sh` says how it is run. */
interface Block {
  kind: string;
  command: string;
}

async function readBlocks(page: string): Promise<Block[]> {
  const text = await readFile(page, 'utf8');
  return [...text.matchAll(/^ *```sh ?(\S*)\n([\s\S]*?)^ *```$/gm)].map(([, kind, command]) => ({
    kind: kind!,
    command: command!,
  }));
}

/** The commands of docs/upgrading.md that run the BFF from its sources, in their order. */
async function upgradeCommands(): Promise<string[]> {
  const blocks = await readBlocks('docs/upgrading.md');
  return blocks.flatMap(({ command }) => command.match(/^ *node dist\/bff\/main\.js --env \.env .*/gm) ?? []);
}

/** A folder as after the first block, except that Caddy changes nothing outside of it. */
async function prepareFolder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'deskside-quick-start-'));
  await symlink(resolve('dist'), join(dir, 'dist'));
  await cp('deploy', join(dir, 'deploy'), { recursive: true });
  await writeFile(join(dir, 'deploy/Caddyfile'), caddyOptions + (await readFile('deploy/Caddyfile', 'utf8')));
  return dir;
}

describe.runIf(existsSync('/usr/bin/caddy'))('docs/quick-start.md', () => {
  it('leads from a build to a widget that passes all checks, and docs/upgrading.md from there to a backup and back', async () => {
    const dir = await prepareFolder();
    const [servicePort, bffPort, adminPort, publicPort] = await Promise.all([1, 2, 3, 4].map(freePort));
    const publicUrl = `https://localhost:${publicPort}`;
    const localized = (command: string) =>
      command
        .replaceAll('sudo ', '')
        .replaceAll('=support.example.com', `=${publicUrl}`)
        .replaceAll('https://support.example.com', publicUrl)
        .replaceAll('http://localhost:4001', `http://localhost:${servicePort}`);
    const base = {
      PATH: process.env['PATH'],
      HOME: dir,
      XDG_DATA_HOME: dir,
      DESKSIDE: `127.0.0.1:${bffPort}`,
      NODE_EXTRA_CA_CERTS: caddyRoot(dir),
    };
    const envOf = (command: string) =>
      command.includes('dist/service')
        ? { ...base, PORT: String(servicePort) }
        : { ...base, PORT: String(bffPort), ADMIN_PORT: String(adminPort) };
    const run = (command: string) =>
      promisify(execFile)('bash', ['-c', localized(command)], { cwd: dir, env: envOf(command) });
    const ports = [servicePort!, bffPort!, publicPort!];
    const running: ChildProcess[] = [];
    const outputs: string[] = [];
    try {
      for (const { kind, command } of (await readBlocks('docs/quick-start.md')).filter(
        (block) => block.kind !== 'install',
      )) {
        const env = envOf(command);
        if (kind === 'key') {
          const { api_key } = JSON.parse(outputs[0]!) as { api_key: string };
          await writeFile(join(dir, 'support_api_key'), `${api_key}\n`, { mode: 0o600 });
        } else if (kind === 'running') {
          const port = ports[running.length]!;
          running.push(
            spawn('bash', ['-c', `exec env ${localized(command)}`], { cwd: dir, env, stdio: 'ignore' }),
          );
          await listening(port);
        } else {
          outputs.push((await run(command)).stdout);
        }
      }
      expect(outputs.at(-2)).toContain('0 failed');
      expect(outputs.at(-1)).toContain(`src="${publicUrl}/widget.js"`);
      const [backUp, check, restore] = (await upgradeCommands()) as [string, string, string];
      await run(backUp);
      expect((await run(check)).stdout).toContain('0 failed');
      const bff = running[1]!;
      bff.kill('SIGTERM');
      await once(bff, 'exit');
      await run(restore);
    } finally {
      const left = running.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
      const ended = left.map((child) => once(child, 'exit'));
      for (const child of left.reverse()) child.kill('SIGTERM');
      await Promise.all(ended);
      await rm(dir, { recursive: true });
    }
  });
});

it('the commands of docs/identity.md make a key pair, and the JWK set of two keys', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'deskside-identity-'));
  const [makeKeys, makeSet] = await readBlocks('docs/identity.md');
  const run = ({ command }: Block) => promisify(execFile)('bash', ['-c', command], { cwd: dir });
  await run(makeKeys!);
  for (const kid of ['2026-01', '2026-07'])
    await cp(join(dir, 'support-public.pem'), join(dir, `${kid}.pem`));
  await run(makeSet!);
  const { keys } = JSON.parse(await readFile(join(dir, 'jwks.json'), 'utf8')) as { keys: object[] };
  await rm(dir, { recursive: true });
  const key = { kty: 'EC', crv: 'P-256', use: 'sig', x: expect.any(String), y: expect.any(String) };
  expect(keys).toEqual([
    { ...key, kid: '2026-01' },
    { ...key, kid: '2026-07' },
  ]);
});
