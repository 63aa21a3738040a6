import { hasDovecot } from '../dovecot.ts';
import { ensure } from './packages.ts';

await ensure([{ name: 'Dovecot', isThere: hasDovecot, packages: ['dovecot-imapd', 'dovecot-lmtpd'] }], {
  isOptional: true,
});
