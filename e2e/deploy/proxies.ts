import { readFile, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, startProgram } from '../../scripts/processes.ts';

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
  adminPort: number;
}

/** Replaces each text, and refuses one that is not there: the example and this test would then differ. */
function replaced(text: string, values: Record<string, string>): string {
  for (const [from, to] of Object.entries(values)) {
    if (!text.includes(from)) throw new Error(`“${from}” is not in the example`);
    text = text.replaceAll(from, to);
  }
  return text;
}

/** A certificate for localhost that signed itself. */
async function makeCertificate(dir: string) {
  const [key, certificate] = [join(dir, 'key.pem'), join(dir, 'certificate.pem')];
  const request =
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost';
  const files = ['-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', certificate];
  await promisify(execFile)('openssl', [...request.split(' '), ...files]);
  return { key, certificate };
}

async function startNginx({ dir, port, bffPort }: ProxyOptions): Promise<Proxy> {
  const { key, certificate } = await makeCertificate(dir);
  const [site, main] = [join(dir, 'site.conf'), join(dir, 'nginx.conf')];
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
  // Its processes keep large requests in this folder.
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  await writeFile(
    main,
    `${user} daemon off; pid ${join(dir, 'nginx.pid')}; events {} http { access_log off; ${temporary} include ${site}; }`,
  );
  const { stop } = await startProgram('/usr/sbin/nginx', ['-p', dir, '-c', main, '-e', 'stderr'], { port });
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
    PATH: process.env['PATH'],
    HOME: dir,
    XDG_DATA_HOME: dir,
    SUPPORT_HOST: `https://localhost:${port}`,
    DESKSIDE: `127.0.0.1:${bffPort}`,
  };
  const args = ['run', '--config', config, '--adapter', 'caddyfile'];
  const { stop } = await startProgram('/usr/bin/caddy', args, { port, env });
  return { certificate: caddyRoot(dir), stop };
}

async function startHaproxy({ dir, port, bffPort, adminPort }: ProxyOptions): Promise<Proxy> {
  const { key, certificate } = await makeCertificate(dir);
  const [both, config] = [join(dir, 'both.pem'), join(dir, 'haproxy.cfg')];
  await writeFile(both, (await readFile(certificate, 'utf8')) + (await readFile(key, 'utf8')));
  await writeFile(
    config,
    replaced(await readFile('deploy/haproxy.cfg', 'utf8'), {
      'bind :80': `bind :${await freePort()}`,
      'bind :443': `bind :${port}`,
      '/etc/haproxy/support.example.com.pem': both,
      '127.0.0.1:4000': `127.0.0.1:${bffPort}`,
      'check port 4100': `check port ${adminPort}`,
    }),
  );
  const { stop } = await startProgram('/usr/sbin/haproxy', ['-f', config, '-db'], { port });
  return { certificate, stop };
}

async function startApache({ dir, port, bffPort }: ProxyOptions): Promise<Proxy> {
  const { key, certificate } = await makeCertificate(dir);
  const [site, main, plainPort] = [join(dir, 'site.conf'), join(dir, 'apache2.conf'), await freePort()];
  await writeFile(
    site,
    replaced(await readFile('deploy/apache.conf', 'utf8'), {
      '*:80': `*:${plainPort}`,
      '*:443': `*:${port}`,
      'ServerName support.example.com': 'ServerName localhost',
      '127.0.0.1:4000': `127.0.0.1:${bffPort}`,
      '/etc/letsencrypt/live/support.example.com/fullchain.pem': certificate,
      '/etc/letsencrypt/live/support.example.com/privkey.pem': key,
    }),
  );
  const modules = ['mpm_event', 'authz_core', 'alias', 'ssl', 'http2', 'headers', 'proxy', 'proxy_http'];
  const lines = [
    `ServerRoot ${dir}`,
    `PidFile ${join(dir, 'apache2.pid')}`,
    `ErrorLog ${join(dir, 'error.log')}`,
    ...modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`),
    `Listen ${plainPort}`,
    `Listen ${port}`,
    `Include ${site}`,
  ];
  await writeFile(main, `${lines.join('\n')}\n`);
  const { stop } = await startProgram('/usr/sbin/apache2', ['-D', 'FOREGROUND', '-f', main], { port });
  return { certificate, stop };
}

/** The proxies that this machine has. */
export const proxies = [
  { name: 'nginx', program: '/usr/sbin/nginx', startProxy: startNginx },
  { name: 'Caddy', program: '/usr/bin/caddy', startProxy: startCaddy },
  { name: 'HAProxy', program: '/usr/sbin/haproxy', startProxy: startHaproxy },
  { name: 'Apache', program: '/usr/sbin/apache2', startProxy: startApache },
].filter(({ program }) => existsSync(program));
