import { randomUUID } from 'node:crypto';
import { mailHookPath } from '../../../../../shared/contract/paths.ts';
import type { startBff } from '../../../../testing/bff.ts';
import { valueOf } from '../../../../testing/metrics.ts';
import { ada, mailsOf, startNotifying } from '../../testing/notices.ts';

export const hookSecret = 'the-secret-of-the-hook-of-incoming-mails';

type Settings = NonNullable<Parameters<typeof startBff>[0]>;

export interface Written {
  from?: string;
  to?: string;
  words?: string;
  messageId?: string | null;
  /** Further lines of the header. */
  header?: readonly string[];
}

/** A mail as a simple mail program writes it. */
export function mailOf({
  from = `Ada <${ada}>`,
  to = 'support@shop.test',
  words = 'It is the blue one.',
  messageId = `${randomUUID()}@example.com`,
  header = [],
}: Written = {}): string {
  const lines = [
    `From: ${from}`,
    `To: ${to}`,
    'Subject: Re: Your message',
    ...(messageId === null ? [] : [`Message-ID: <${messageId}>`]),
    'MIME-Version: 1.0',
    ...(header.some((line) => /^content-type:/i.test(line))
      ? []
      : ['Content-Type: text/plain; charset=utf-8']),
    ...header,
  ];
  return `${lines.join('\r\n')}\r\n\r\n${words.replaceAll('\n', '\r\n')}\r\n`;
}

/** A mail with a file. */
export const mailWithFile = (written: Written, name: string, type: string, content: string) =>
  mailOf({
    ...written,
    header: [...(written.header ?? []), 'Content-Type: multipart/mixed; boundary=b'],
    words: [
      '--b',
      'Content-Type: text/plain; charset=utf-8',
      '',
      written.words ?? 'Here it is.',
      '--b',
      `Content-Type: ${type}; name="${name}"`,
      `Content-Disposition: attachment; filename="${name}"`,
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from(content, 'latin1').toString('base64'),
      '--b--',
    ].join('\n'),
  });

/** What a mail server says of a mail that it could not deliver. */
export const bounceOf = (address: string, original: string, status = '5.1.1') =>
  mailOf({
    from: 'Mail Delivery System <MAILER-DAEMON@mx.example.net>',
    header: [
      'Auto-Submitted: auto-replied',
      'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
    ],
    words: [
      '--b',
      'Content-Type: text/plain',
      '',
      'This is the mail system. Your message could not be delivered.',
      '--b',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; mx.example.net',
      '',
      `Final-Recipient: rfc822; ${address}`,
      'Action: failed',
      `Status: ${status}`,
      '--b',
      'Content-Type: message/rfc822',
      '',
      original,
      '--b--',
    ].join('\n'),
  });

/** A BFF that takes mails by its hook. The test itself lets it act on them. */
export async function startIncoming({ values, ...settings }: Settings = {}) {
  const on = await startNotifying({
    ...settings,
    values: {
      MAIL_REPLY_TO: { name: 'Acme', address: 'support+{token}@shop.test' },
      MAIL_IN: 'hook',
      MAIL_IN_SECRET: [hookSecret],
      MAIL_IN_NEW: 'off',
      RETENTION_MAILS_DAYS: 30 * 86_400_000,
      ...values,
    },
  });
  const { bff } = on;
  const incoming = mailsOf(bff).incoming!;
  const post = (mail: string | Uint8Array, secret = hookSecret, type = 'message/rfc822') =>
    bff.app.request(`${mailHookPath}/${secret}`, {
      method: 'POST',
      headers: { 'Content-Type': type },
      body: mail,
    });
  return {
    ...on,
    incoming,
    post,

    /** The address by which a mail answers this ticket's mails to this address. */
    replyTo: async (ticketId: string, email = ada) =>
      (await incoming.tokens.of({ ticket_id: ticketId, address_hash: bff.subjects.addressHash(email) }))
        .replyTo.address,

    /** Lets the mail come, and what follows from it be done. */
    async comes(mail: string | Uint8Array): Promise<void> {
      const { status } = await post(mail);
      if (status !== 204) throw new Error(`the hook answered ${status}`);
      await incoming.job.pass();
    },

    /** The texts of the customer's replies at the service. */
    replies: (ticketId: string) =>
      bff.service.tickets
        .get(ticketId)!
        .messages.filter(({ author_type }) => author_type === 'customer')
        .map(({ body }) => body),

    results: async (result: string) =>
      valueOf(await bff.metrics.registry.metrics(), `deskside_mails_in_total{result="${result}"}`),

    /** Why each mail that is set aside is. */
    asides: async () =>
      (await bff.store.selectFrom('mails_in').select('reason').where('state', '=', 'aside').execute()).map(
        ({ reason }) => reason,
      ),
  };
}

export type TestIncoming = Awaited<ReturnType<typeof startIncoming>>;
