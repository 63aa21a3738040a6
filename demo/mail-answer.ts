import MailComposer from 'nodemailer/lib/mail-composer';
import type { ReadMail } from '../scripts/read-mail.ts';

const when = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short' });

/**
 * The answer of a mail program: the words of its user above the quoted mail. Null for a mail that names no address for
 * answers, such as one with a code.
 */
export async function answerTo(mail: ReadMail, words: string, at = new Date()): Promise<Buffer | null> {
  const to = mail.header('Reply-To');
  const id = mail.header('Message-ID');
  if (to === undefined || id === undefined) return null;
  const subject = mail.header('Subject') ?? '';
  const quoted = mail.text.trimEnd().replace(/^/gm, '> ');
  return new MailComposer({
    from: mail.to[0],
    to,
    subject: /^re:/i.test(subject) ? subject : `Re: ${subject}`,
    inReplyTo: id,
    references: [mail.header('References') ?? '', id].join(' ').trim(),
    date: at,
    text: `${words}\n\nOn ${when.format(at)}, ${mail.header('From')} wrote:\n${quoted}\n`,
  })
    .compile()
    .build();
}
