import { existsSync } from 'node:fs';
import { installCommand, installOnDebian, isDebianRoot, isMissing, type Need } from './packages.ts';

const needs: Need[] = [
  { name: 'nginx', isThere: () => existsSync('/usr/sbin/nginx'), packages: ['nginx-light'] },
  { name: 'Caddy', isThere: () => existsSync('/usr/bin/caddy'), packages: ['caddy'] },
  { name: 'HAProxy', isThere: () => existsSync('/usr/sbin/haproxy'), packages: ['haproxy'] },
  { name: 'Apache', isThere: () => existsSync('/usr/sbin/apache2'), packages: ['apache2'] },
  { name: 'promtool', isThere: () => existsSync('/usr/bin/promtool'), packages: ['prometheus'] },
  { name: 'clamd', isThere: () => existsSync('/usr/sbin/clamd'), packages: ['clamav-daemon'] },
  { name: 'systemd', isThere: () => existsSync('/usr/bin/systemd-analyze'), packages: ['systemd'] },
];

/**
 * Makes sure that the files of `deploy/` can be tested. If packages cannot be installed from here, some files are left
 * out.
 */
async function ensureProxies(): Promise<boolean> {
  const before = needs.filter(isMissing);
  if (before.length > 0 && isDebianRoot) await installOnDebian(before);
  const missing = needs.filter(isMissing);
  if (missing.length === 0) return true;
  const names = missing.map(({ name }) => name).join(', ');
  console.error(`NOT RUN: ${names}, not on this machine (Debian: ${installCommand(missing)}).`);
  return !isDebianRoot;
}

if (!(await ensureProxies())) process.exit(1);
