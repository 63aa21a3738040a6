import { readFile, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../../scripts/processes.ts';

/** A proxy that ends TLS on `https://localhost:{port}`, run with its file of `deploy/`. */
export interface Proxy {
  /** The certificate that signed its own, as a PEM file. */
  certificate: string;
  stop(): Promise<void>;
}

interface ProxyOptions {
  /** For what it writes; empty. */
  dir: string;
  port: number;
  bffPort: number;
}

const canConnect = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, 'localhost', () => resolve(true));
    socket.on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });

/** Waits until something listens there. */
export async function listening(port: number, check = () => {}): Promise<void> {
  for (; !(await canConnect(port)); await sleep(50)) check();
}

async function start(command: string, args: string[], env: Record<string, string>, port: number) {
  const child = spawn(command, args, {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
  await listening(port, () => {
    if (child.exitCode !== null) throw new Error(`${command} ended with ${child.exitCode}: ${said}`);
  });
  return async () => {
    child.kill('SIGTERM');
    await exited;
  };
}

/** Replaces each text, and refuses one that is not there: the example and this test would then differ. */
function replaced(text: string, values: Record<string, string>): string {
  for (const [from, to] of Object.entries(values)) {
    if (!text.includes(from)) throw new Error(`“${from}” is not in the example`);
    text = text.replaceAll(from, to);
  }
  return text;
}

async function startNginx({ dir, port, bffPort }: ProxyOptions): Promise<Proxy> {
  const [key, certificate, site, main] = ['key.pem', 'certificate.pem', 'site.conf', 'nginx.conf'].map(
    (name) => join(dir, name),
  ) as [string, string, string, string];
  const request =
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost';
  const files = ['-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', certificate];
  await promisify(execFile)('openssl', [...request.split(' '), ...files]);
  const example = await readFile('deploy/nginx.conf', 'utf8');
  // Not every machine has IPv6.
  const withoutIpv6 = example.replace(/^ *listen \[::\].*\n/gm, '');
  await writeFile(
    site,
    replaced(withoutIpv6, {
      'listen 80': `listen ${await freePort()}`,
      'listen 443': `listen ${port}`,
      'support.example.com;': 'localhost;',
      '127.0.0.1:4000': `127.0.0.1:${bffPort}`,
      '/etc/letsencrypt/live/support.example.com/fullchain.pem': certificate,
      '/etc/letsencrypt/live/support.example.com/privkey.pem': key,
    }),
  );
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(dir, name)};`)
    .join(' ');
  await writeFile(
    main,
    `daemon off; pid ${join(dir, 'nginx.pid')}; events {} http { access_log off; ${temporary} include ${site}; }`,
  );
  const stop = await start('/usr/sbin/nginx', ['-p', dir, '-c', main, '-e', 'stderr'], {}, port);
  return { certificate, stop };
}

/** Caddy changes nothing of the machine: no port but its own, no certificate among the trusted ones. */
export const caddyOptions = '{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}\n';
/** What Caddy signs its certificate for localhost with. */
export const caddyRoot = (dataDir: string) => join(dataDir, 'caddy/pki/authorities/local/root.crt');

async function startCaddy({ dir, port, bffPort }: ProxyOptions): Promise<Proxy> {
  const config = join(dir, 'Caddyfile');
  await writeFile(config, caddyOptions + (await readFile('deploy/Caddyfile', 'utf8')));
  const env = {
    HOME: dir,
    XDG_DATA_HOME: dir,
    SUPPORT_HOST: `https://localhost:${port}`,
    DESKSIDE: `127.0.0.1:${bffPort}`,
  };
  const stop = await start(
    '/usr/bin/caddy',
    ['run', '--config', config, '--adapter', 'caddyfile'],
    env,
    port,
  );
  return { certificate: caddyRoot(dir), stop };
}

/** The proxies that this machine has. */
export const proxies = [
  { name: 'nginx', program: '/usr/sbin/nginx', startProxy: startNginx },
  { name: 'Caddy', program: '/usr/bin/caddy', startProxy: startCaddy },
].filter(({ program }) => existsSync(program));
