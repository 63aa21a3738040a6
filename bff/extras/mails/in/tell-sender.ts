import { html } from 'hono/html';
import { languageOf, type MailContent, mailPage, mainLink, type Sender } from '../mail-page.ts';

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
