import { existsSync } from 'node:fs';
import { ensure } from './packages.ts';

/** By which the files of `deploy/` are tested. */
await ensure(
  [
    { name: 'nginx', isThere: () => existsSync('/usr/sbin/nginx'), packages: ['nginx-light'] },
    { name: 'Caddy', isThere: () => existsSync('/usr/bin/caddy'), packages: ['caddy'] },
    { name: 'HAProxy', isThere: () => existsSync('/usr/sbin/haproxy'), packages: ['haproxy'] },
    { name: 'Apache', isThere: () => existsSync('/usr/sbin/apache2'), packages: ['apache2'] },
    { name: 'promtool', isThere: () => existsSync('/usr/bin/promtool'), packages: ['prometheus'] },
    { name: 'clamd', isThere: () => existsSync('/usr/sbin/clamd'), packages: ['clamav-daemon'] },
    { name: 'systemd', isThere: () => existsSync('/usr/bin/systemd-analyze'), packages: ['systemd'] },
  ],
  { isOptional: true },
);
