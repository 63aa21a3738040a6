import { z } from 'zod';
import { setting, type SettingGroup } from '../../../core/settings/settings.ts';
import { days, list, onOff } from '../../../core/settings/values.ts';
import { readImapAddress } from './imap-address.ts';

/* The settings of mails that come in. */

const source = z
  .string()
  .refine(
    (text) => text === 'hook' || readImapAddress(text) !== null,
    'must be hook, or an imap or imaps URL with user and password, their special characters percent-encoded',
  );

const secret = z
  .string()
  .regex(/^[\w.~-]{32,}$/, 'must be at least 32 characters of random text: letters, digits, and . _ ~ -');

export const mailInShape = {
  MAIL_IN: setting(source.optional(), {
    about: 'Where answers to mails come from: a mailbox, or hook. Needs SMTP_URL.',
    example: 'imaps://support%40example.com:password@mail.example.com/INBOX',
    kind: 'private',
    inSites: 'own',
  }),
  MAIL_IN_SECRET: setting(list.pipe(z.array(secret).min(1).max(2)).optional(), {
    about:
      'At least 32 characters, for MAIL_IN=hook: enables POST /hooks/mail/{secret}. A second one, after a comma, counts too.',
    kind: 'private',
    inSites: 'own',
  }),
  MAIL_IN_SERVER: setting(z.string().regex(/^\S+$/, 'must be one name, without spaces').optional(), {
    about:
      'Name that your mail server gives itself at the beginning of Authentication-Results. Agents then see what it says.',
    example: 'mx.example.com',
  }),
  MAIL_IN_REQUIRE: setting(z.enum(['dmarc']).optional(), {
    about: 'dmarc sets mails aside whose sender has not passed DMARC. Needs MAIL_IN_SERVER.',
    example: 'dmarc',
  }),
  MAIL_IN_NEW: setting(onOff('off'), {
    about: 'on opens a ticket for a mail that answers none. Otherwise its sender is told where to write.',
    example: 'on',
  }),
  RETENTION_MAILS_DAYS: setting(days(30), {
    about: 'Days after which mails that came in are erased here.',
  }),
};

export const mailInRules: NonNullable<SettingGroup['rules']> = [
  {
    name: 'SMTP_URL',
    error: 'is required with MAIL_IN',
    holds: (env) => !env['MAIL_IN'] || Boolean(env['SMTP_URL']),
  },
  {
    name: 'MAIL_IN_SECRET',
    error: 'is required with MAIL_IN=hook',
    holds: (env) => env['MAIL_IN'] !== 'hook' || Boolean(env['MAIL_IN_SECRET']),
  },
  {
    name: 'MAIL_IN_SERVER',
    error: 'is required with MAIL_IN_REQUIRE',
    holds: (env) => !env['MAIL_IN_REQUIRE'] || Boolean(env['MAIL_IN_SERVER']),
  },
];
