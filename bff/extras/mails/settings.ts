import { z } from 'zod';
import { setting, type SettingGroup } from '../../core/settings/settings.ts';
import { duration, onOff } from '../../core/settings/values.ts';
import { mailInRules, mailInShape } from './in/settings.ts';
import { type Mailbox, readMailbox, tokenPlace } from './sender-address.ts';

const smtpUrl = z
  .string()
  .refine(
    (url) => /^smtps?:\/\/./.test(url) && URL.canParse(url),
    'must be an smtp or smtps URL, with special characters of user and password percent-encoded',
  );

const mailbox = (may: { mayHaveToken?: boolean } = {}) =>
  z.string().transform((text, context): Mailbox => {
    const read = readMailbox(text, may);
    if (typeof read !== 'string') return read;
    context.addIssue(read);
    return z.NEVER;
  });

export const mailSettings = {
  heading: 'Mail',
  shape: {
    SMTP_URL: setting(smtpUrl.optional(), {
      about: 'Mail server. Customers can then prove their address with a code, and find earlier tickets.',
      example: 'smtps://user:password@mail.example.com',
      kind: 'private',
    }),
    MAIL_FROM: setting(mailbox().optional(), {
      about: 'Sender of all mails. Needed with SMTP_URL.',
      example: 'Acme <support@example.com>',
      kind: 'private',
      inSites: 'own',
    }),
    MAIL_REPLY_TO: setting(mailbox({ mayHaveToken: true }).optional(), {
      about:
        'Where an answer to a mail goes. Without it and MAIL_IN, mails ask to answer on the page. With MAIL_IN, {token} before the @ is replaced in each mail.',
      example: 'Acme <help@example.com>',
      kind: 'private',
      inSites: 'own',
    }),
    NOTIFY_EMAIL: setting(onOff('off'), {
      about: 'on offers customers a mail when an answer is unread. Needs SMTP_URL.',
      example: 'on',
    }),
    NOTIFY_AFTER_MS: setting(duration(300_000, 1, 86_400_000), {
      about: 'How long an answer waits before that mail.',
    }),
    CONFIRM_EMAIL: setting(onOff('off'), {
      about: 'on mails customers that their ticket has arrived. Needs SMTP_URL.',
      example: 'on',
    }),
    ...mailInShape,
  },
  rules: [
    ...mailInRules,
    {
      name: 'MAIL_FROM',
      error: 'is required with SMTP_URL',
      holds: (env) => !env['SMTP_URL'] || Boolean(env['MAIL_FROM']),
    },
    {
      name: 'MAIL_REPLY_TO',
      error: 'may have {token} only with MAIL_IN, which reads the answers',
      holds: (values) =>
        !(values['MAIL_REPLY_TO'] as Mailbox | undefined)?.address?.includes(tokenPlace) ||
        Boolean(values['MAIL_IN']),
    },
    {
      name: 'SMTP_URL',
      error: 'is required with NOTIFY_EMAIL=on or CONFIRM_EMAIL=on',
      holds: (env) =>
        Boolean(env['SMTP_URL']) || (env['NOTIFY_EMAIL'] !== 'on' && env['CONFIRM_EMAIL'] !== 'on'),
    },
  ],
} satisfies SettingGroup;
