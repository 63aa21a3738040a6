import { existsSync } from 'node:fs';
import { hasDovecot, isDovecotThere } from '../dovecot.ts';
import { hasPostfix } from '../postfix.ts';
import { installCommand, installOnDebian, isDebianRoot, isMissing, type Need } from './packages.ts';

const needs: Need[] = [
  { name: 'Dovecot', isThere: isDovecotThere, packages: ['dovecot-imapd', 'dovecot-lmtpd'] },
  { name: 'Postfix, for root', isThere: hasPostfix, packages: ['postfix'] },
];
/** A machine has one mail transfer agent: to install Postfix removes another. */
const mayInstall = ({ packages }: Need) => !packages.includes('postfix') || !existsSync('/usr/sbin/sendmail');

const before = needs.filter(isMissing).filter(mayInstall);
if (before.length > 0 && isDebianRoot) await installOnDebian(before);
const missing = needs.filter(isMissing);
if (missing.length > 0) {
  const names = missing.map(({ name }) => name).join(', ');
  console.error(`NOT RUN: ${names}, not on this machine (Debian: ${installCommand(missing)}).`);
  if (isDebianRoot && missing.some(mayInstall)) process.exit(1);
}
if (isDovecotThere() && !hasDovecot()) console.error('NOT RUN: Dovecot, of another version than 2.3.');
