import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import MailComposer from 'nodemailer/lib/mail-composer';
import type { ReadMail } from '../../../scripts/read-mail.ts';

/** Real bounces, vacation notices and abuse reports. They are not part of the repository. */
const corpus = '../shared/corpora/bounces';

/** What machines answer to a mail: an absence, a list, a receipt. */
const kinds: { from: string; subject: string; headers: Record<string, string>; text: string }[] = [
  {
    from: 'away@example.org',
    subject: 'Automatic reply: Your ticket',
    headers: { 'Auto-Submitted': 'auto-replied', 'X-Auto-Response-Suppress': 'All' },
    text: 'I am away until Monday.',
  },
  {
    from: 'vacation@example.org',
    subject: 'Re: Your ticket',
    headers: { Precedence: 'auto_reply', 'X-Autoreply': 'yes' },
    text: 'Thank you for your mail. I am on vacation.',
  },
  {
    from: 'list@lists.example.org',
    subject: '[list] Your ticket',
    headers: { 'List-Id': '<list.lists.example.org>', Precedence: 'list' },
    text: 'Somebody has written to the list.',
  },
  {
    from: 'service@helpdesk.example.org',
    subject: 'We have received your request [#4711]',
    headers: { 'Auto-Submitted': 'auto-generated' },
    text: 'We have opened a ticket, and will answer soon.',
  },
];

/** Automatic answers to this mail, and the mail itself as a forwarding rule brings it back. */
export async function automaticAnswers(mail: ReadMail, raw: string): Promise<Buffer[]> {
  const messageId = mail.header('Message-ID')!;
  const made = kinds.map((kind) =>
    new MailComposer({
      ...kind,
      to: mail.header('Reply-To') ?? mail.header('From')!,
      messageId: `<${crypto.randomUUID()}@example.org>`,
      inReplyTo: messageId,
      references: messageId,
    })
      .compile()
      .build(),
  );
  return [...(await Promise.all(made)), Buffer.from(raw)];
}

/** Those of the corpus, where it is. A few of its mails are of people. */
export async function automaticInCorpus(): Promise<Buffer[]> {
  if (!existsSync(corpus)) return [];
  const names = (await readdir(corpus)).filter(
    (name) => name.endsWith('.eml') && !name.startsWith('is-not-bounce'),
  );
  return Promise.all(names.map((name) => readFile(`${corpus}/${name}`)));
}
