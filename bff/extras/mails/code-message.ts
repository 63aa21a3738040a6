import { html } from 'hono/html';
import { languageOf, type MailContent, mailPage, quiet, type Sender } from './mail-page.ts';

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
