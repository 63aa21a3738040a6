import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { freePort, listening } from '../../scripts/processes.ts';
import { caddyOptions, caddyRoot } from './proxies.ts';

/** A block of the page. The text after `sh` says how it is run. */
interface Block {
  kind: string;
  command: string;
}

async function readBlocks(): Promise<Block[]> {
  const page = await readFile('docs/quick-start.md', 'utf8');
  return [...page.matchAll(/^```sh ?(\S*)\n([\s\S]*?)^```$/gm)].map(([, kind, command]) => ({
    kind: kind!,
    command: command!,
  }));
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
  it('leads from a build to a widget that passes all checks', async () => {
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
    const ports = [servicePort!, bffPort!, publicPort!];
    const running: ChildProcess[] = [];
    const outputs: string[] = [];
    try {
      for (const { kind, command } of (await readBlocks()).filter((block) => block.kind !== 'install')) {
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
          const { stdout } = await promisify(execFile)('bash', ['-c', localized(command)], { cwd: dir, env });
          outputs.push(stdout);
        }
      }
      expect(outputs.at(-2)).toContain('0 failed');
      expect(outputs.at(-1)).toContain(`src="${publicUrl}/widget.js"`);
    } finally {
      const ended = running.map((child) => new Promise((resolved) => child.once('exit', resolved)));
      for (const child of running.reverse()) child.kill('SIGTERM');
      await Promise.all(ended);
      await rm(dir, { recursive: true });
    }
  });
});
