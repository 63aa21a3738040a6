import { hasDovecot } from '../dovecot.ts';
import { installCommand, installOnDebian, isDebianRoot, isMissing, type Need } from './packages.ts';

const dovecot: Need = {
  name: 'Dovecot',
  isThere: hasDovecot,
  packages: ['dovecot-imapd', 'dovecot-lmtpd'],
};

if (isMissing(dovecot) && isDebianRoot) await installOnDebian([dovecot]);
if (isMissing(dovecot)) {
  console.error(`NOT RUN: Dovecot, not on this machine (Debian: ${installCommand([dovecot])}).`);
  if (isDebianRoot) process.exit(1);
}
