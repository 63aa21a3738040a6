import { html } from 'hono/html';
import { languageOf, type MailContent, mailPage, mainLink, quiet, type Sender } from './mail-page.ts';

/* The mails that are about no ticket. */

/** The sender is shown so that the reader can tell who asks. */
interface CodeMessage extends Sender {
  /** Six digits. */
  code: string;
  language: string;
}

/** The message that carries a one-time code. */
export async function codeMessage({ code, language, ...sender }: CodeMessage): Promise<MailContent> {
  const { brand, host } = sender;
  const known = languageOf(language);
  const { subject, lead, use, warning } = known.sentences.codeMail;
  const fill = (sentence: string) => sentence.replace('{code}', code).replace('{brand}', () => brand);
  const body = html`<p style="margin: 0 0 16px;">${fill(lead)}</p>
    <p
      class="box"
      style="margin: 0 0 16px; padding: 16px 24px; border-radius: 12px; background: #f1f3f6; color: #1b1e24; font-size: 32px; line-height: 1.2; font-weight: 700; letter-spacing: 6px; font-variant-numeric: tabular-nums; text-align: center;"
    >
      ${code}
    </p>
    <p style="margin: 0 0 16px;">${use}</p>
    <p class="quiet" style="${quiet} margin: 0;">${warning}</p>`;
  return {
    subject: fill(subject),
    text: `${fill(lead)}\n\n    ${code}\n\n${use}\n\n${warning}\n\n-- \n${brand}, ${host}\n`,
    html: await mailPage(known, { title: fill(subject), preview: use, body, sender }),
  };
}

/**
 * The answer to a mail that belongs to no ticket: where to write instead. SECURITY: it has no word of that mail, whose sender
 * may be forged, and of no ticket.
 */
export async function whereToWrite(
  { link, language }: { link: string; language: string },
  sender: Sender,
): Promise<MailContent> {
  const { brand, host } = sender;
  const known = languageOf(language);
  const { subject, lead, open } = known.sentences.lostMail;
  const fill = (sentence: string) => sentence.replace('{brand}', () => brand);
  const body = html`<p style="margin: 0 0 16px;">${fill(lead)}</p>
    ${mainLink(link, open, sender)}`;
  return {
    subject: fill(subject),
    text: `${fill(lead)}\n\n${open}:\n${link}\n\n-- \n${brand}, ${host}\n`,
    html: await mailPage(known, { title: fill(subject), preview: fill(lead), body, sender }),
  };
}
