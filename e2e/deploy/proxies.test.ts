import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../scripts/processes.ts';
import { type Stack, startStack } from '../support/stack.ts';
import { proxies, type Proxy } from './proxies.ts';

/** By `deskside check`, as an operator does it. */
async function check(stack: Stack, { certificate }: Proxy, publicUrl: string) {
  const env = {
    SUPPORT_API_URL: stack.serviceUrl,
    SUPPORT_API_KEY: stack.workspace.api_key,
    ALLOWED_ORIGINS: stack.host.origin,
    DATA_DIR: stack.bffDir,
    PUBLIC_URL: publicUrl,
    TRUST_PROXY: '1',
    NODE_EXTRA_CA_CERTS: certificate,
  };
  const { stdout } = await promisify(execFile)(process.execPath, ['dist/bff/main.js', 'check', '--json'], {
    env,
  }).catch((failed: { stdout: string }) => failed);
  return JSON.parse(stdout) as { checks: { name: string; level: string; says: string }[] };
}

describe.each(proxies)('behind $name as in deploy/', ({ startProxy }) => {
  let dir: string;
  let stack: Stack;
  let proxy: Proxy;
  let publicUrl: string;

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'deskside-proxy-'));
    const port = await freePort();
    publicUrl = `https://localhost:${port}`;
    stack = await startStack({ PUBLIC_URL: publicUrl, TRUST_PROXY: '1' });
    const portOf = (url: string) => Number(new URL(url).port);
    const [bffPort, adminPort] = [portOf(stack.bffUrl), portOf(stack.adminUrl)];
    proxy = await startProxy({ dir, port, bffPort, adminPort });
  });
  afterEach(async () => {
    await proxy.stop();
    await stack.stop();
    await rm(dir, { recursive: true });
  });

  it('passes hops, cookies, errors, streams, headers and large requests on', async () => {
    const { checks } = await check(stack, proxy, publicUrl);
    const seen = checks.filter(({ name }) => name.startsWith('public-') || name === 'files-proxy');
    expect(seen.length).toBeGreaterThan(8);
    expect(seen.filter(({ level }) => level !== 'ok')).toEqual([]);
  });
});
