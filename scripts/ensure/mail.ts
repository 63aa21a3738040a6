import { existsSync } from 'node:fs';
import { hasDovecot, isDovecotThere } from '../dovecot.ts';
import { hasPostfix } from '../postfix.ts';
import { ensure } from './packages.ts';

const dovecot = { name: 'Dovecot', isThere: isDovecotThere, packages: ['dovecot-imapd', 'dovecot-lmtpd'] };
const postfix = { name: 'Postfix, for root', isThere: hasPostfix, packages: ['postfix'] };
/** A machine has one mail transfer agent: to install Postfix would remove it. */
const hasOther = !hasPostfix() && existsSync('/usr/sbin/sendmail');

await ensure(hasOther ? [dovecot] : [dovecot, postfix], { isOptional: true });
if (hasOther) console.error('NOT RUN: Postfix, since this machine has another mail transfer agent.');
if (isDovecotThere() && !hasDovecot()) console.error('NOT RUN: Dovecot, of another version than 2.3.');
