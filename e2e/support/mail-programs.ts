import MailComposer from 'nodemailer/lib/mail-composer';
import type { ReadMail } from '../../scripts/read-mail.ts';

/** What a customer writes as an answer to a mail. */
export interface Answer {
  /** An address, or `Name <address>`. */
  from: string;
  /** Lines of plain text. */
  words: string;
}

interface Quoted {
  /** Who wrote the mail, as it names itself. */
  by: { name: string; address: string };
  at: Date;
  to: string;
  subject: string;
  text: string;
  html: string;
}

interface Body {
  text?: string;
  html?: string;
  headers: Record<string, string>;
  /** Of the Message-ID. */
  domain: string;
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const quotedBy = (mark: string, text: string) => text.replace(/^/gm, mark);
const inBlocks = (words: string, tag = 'div') =>
  words
    .split('\n')
    .map((line) => `<${tag}>${escaped(line) || '<br>'}</${tag}>`)
    .join('');
const date = (at: Date, options: Intl.DateTimeFormatOptions, locale = 'en-US') =>
  new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options }).format(at);
const time = { hour: 'numeric', minute: '2-digit' } as const;

/**
 * One program of each kind, by how it writes an answer: above a quote, above what was mailed without a mark, below a quote
 * and as plain text alone, as HTML alone. What others write: `bff/extras/mails/in/read-mail.test.ts`.
 */
export const mailPrograms: Record<string, (words: string, quoted: Quoted) => Body> = {
  Gmail(words, { by, at, text, html }) {
    const day = date(at, { weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' });
    const said = `On ${day} at ${date(at, time)} ${by.name} <${by.address}> wrote:`;
    return {
      text: `${words}\n\n${said}\n\n${quotedBy('> ', text)}\n`,
      html: `<div dir="ltr">${inBlocks(words)}</div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">${escaped(said)}<br></div><blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex">${html}</blockquote></div>`,
      headers: {},
      domain: 'mail.gmail.com',
    };
  },
  Outlook(words, { by, at, to, subject, text, html }) {
    const fields = [
      ['From', `${by.name} <${by.address}>`],
      ['Sent', date(at, { dateStyle: 'full', timeStyle: 'short' })],
      ['To', to],
      ['Subject', subject],
    ] as const;
    const head = fields.map(([name, value]) => `${name}: ${value}`).join('\n');
    const shown = fields.map(([name, value]) => `<b>${name}:</b> ${escaped(value)}`).join('<br>');
    return {
      text: `${words}\n\n${head}\n\n${text}\n`,
      html: `<html xmlns:o="urn:schemas-microsoft-com:office:office"><body lang="EN-US"><div class="WordSection1">${inBlocks(words, 'p class="MsoNormal"').replaceAll('</p class="MsoNormal">', '</p>')}<p class="MsoNormal"><o:p>&nbsp;</o:p></p><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p class="MsoNormal">${shown}<o:p></o:p></p></div>${html}</div></body></html>`,
      headers: { 'X-Mailer': 'Microsoft Outlook 16.0', 'Thread-Index': 'AdrWl0M9Zb2o' },
      domain: 'AS8PR01MB1234.eurprd01.prod.exchangelabs.com',
    };
  },
  Thunderbird(words, { by, at, text }) {
    const said = `Am ${date(at, { dateStyle: 'short', timeStyle: 'short' }, 'de-DE').replace(',', ' um')} schrieb ${by.name}:`;
    return {
      text: `${said}\n${quotedBy('> ', text)}\n\n${words}\n\n-- \nAda Lovelace\nLondon\n`,
      headers: { 'User-Agent': 'Mozilla Thunderbird', 'Content-Language': 'de-DE' },
      domain: 'example.com',
    };
  },
  GMX(words, { by, at, to, subject, html }) {
    const fields = [
      ['Gesendet', `${date(at, { dateStyle: 'full' }, 'de-DE')} um ${date(at, time, 'de-DE')} Uhr`],
      ['Von', `"${by.name}" <${by.address}>`],
      ['An', to],
      ['Betreff', subject],
    ] as const;
    const shown = fields.map(([name, value]) => `<b>${name}:</b>&nbsp;${escaped(value)}`).join('<br/>');
    return {
      html: `<html><head></head><body><div style="font-family: Verdana;font-size: 12.0px;">${inBlocks(words)}<div>&nbsp;<div name="quote" style="margin:10px 5px 5px 10px; padding: 10px 0 10px 10px; border-left:2px solid #C3D9E5; word-wrap: break-word;"><div style="margin:0 0 10px 0;">${shown}</div><div name="quoted-content">${html}</div></div></div></div></body></html>`,
      headers: { 'X-Provags-ID': 'V03:K1:abc', 'X-Priority': '3' },
      domain: '3c-app-gmx-bs34',
    };
  },
};

/** `Name <address>`, or an address alone, as a mail program shows it. */
function readMailbox(text: string): { name: string; address: string } {
  const [, name = '', address = text] = /^"?([^"<]*?)"? *<([^>]+)>$/.exec(text) ?? [];
  return { name: name || address, address };
}

/** The answer to a mail that this program writes, as it comes over the wire. */
export async function answerTo(mail: ReadMail, program: string, { from, words }: Answer): Promise<Buffer> {
  const [messageId, subject] = [mail.header('Message-ID')!, mail.header('Subject')!];
  const { domain, ...body } = mailPrograms[program]!(words, {
    by: readMailbox(mail.header('From')!),
    at: new Date(mail.header('Date')!),
    to: mail.to[0]!,
    subject,
    text: mail.text,
    html: mail.html ?? '',
  });
  return new MailComposer({
    ...body,
    from,
    to: mail.header('Reply-To') ?? mail.header('From')!,
    subject: subject.startsWith('Re: ') ? subject : `Re: ${subject}`,
    messageId: `<${crypto.randomUUID()}@${domain}>`,
    inReplyTo: messageId,
    references: `${mail.header('References') ?? ''} ${messageId}`.trim(),
  })
    .compile()
    .build();
}
