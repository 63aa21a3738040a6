import PostalMime from 'postal-mime';

/** A received mail, as far as the BFF uses it. */
export interface IncomingMail {
  messageId: string | null;
  references: readonly string[];
  from: { name: string; address: string } | null;
  recipients: readonly string[];
  subject: string;
  words: string;
  whole: string;
  attachments: readonly { name: string; type: string; content: Uint8Array }[];
  authentication: readonly string[];
  kind: 'personal' | 'automatic' | 'list' | 'bounce';
  bounce: { addresses: readonly string[]; isPermanent: boolean } | null;
}

export class UnreadableMail extends Error {}

const idsIn = (text = '') => [...text.matchAll(/<([^<>\s]+)>/g)].map(([, id]) => id!);

export async function readMail(raw: Uint8Array): Promise<IncomingMail> {
  const mail = await PostalMime.parse(raw, { attachmentEncoding: 'arraybuffer' });
  const headers = (name: string) => mail.headers.filter(({ key }) => key === name).map(({ value }) => value);
  const text = mail.text ?? '';
  const isBounce = /report-type="?delivery-status/.test(headers('content-type')[0] ?? '');
  const kind = isBounce
    ? 'bounce'
    : headers('auto-submitted')[0]
      ? 'automatic'
      : headers('list-id')[0]
        ? 'list'
        : 'personal';
  return {
    messageId: idsIn(mail.messageId)[0] ?? null,
    references: [...new Set([...idsIn(mail.inReplyTo), ...idsIn(mail.references).toReversed()])],
    from: mail.from?.address ? { name: mail.from.name, address: mail.from.address } : null,
    recipients: [
      ...headers('x-original-to'),
      ...[...(mail.to ?? []), ...(mail.cc ?? [])].flatMap(({ address }) => address ?? []),
    ],
    subject: mail.subject ?? '',
    words: text.split(/^(?:>|On .* wrote:)/m)[0]!.trim(),
    whole: text,
    attachments: mail.attachments
      .filter(({ filename }) => filename)
      .map(({ filename, mimeType, content }) => ({
        name: filename!,
        type: mimeType,
        content: new Uint8Array(content as ArrayBuffer),
      })),
    authentication: headers('authentication-results'),
    kind,
    bounce: isBounce
      ? {
          addresses: [
            ...Buffer.from(raw)
              .toString('latin1')
              .matchAll(/^Final-Recipient: rfc822; ?(\S+)/gim),
          ].map(([, a]) => a!),
          isPermanent: /^Status: 5/im.test(Buffer.from(raw).toString('latin1')),
        }
      : null,
  };
}
