import { html } from 'hono/html';
import { english, languages } from '../../widget/i18n/languages.ts';
import { type MailContent, mailPage, quiet } from './mail-page.ts';

/** `confirmation`: the ticket is at the service. `answer`: agents have answered, and the customer has not read it. */
export type TicketMailKind = 'confirmation' | 'answer';

/** What a mail about a ticket says. */
export interface TicketMessage {
  kind: TicketMailKind;
  /** As agents know the ticket. */
  number: string;
  /**
   * What was written, the oldest first; null for an address that nobody has proven. SECURITY: somebody may have typed the
   * address of another, who must then get no text of theirs, and nothing of the conversation.
   */
  texts: readonly string[] | null;
  /** When an answer comes; null: it is not said. */
  replyTime: string | null;
  /** Where the ticket is read. It opens nothing by itself. */
  link: string;
  /** Ends these mails to the address. */
  stopLink: string;
  /** Tag of a language that the widget has; any other means English. */
  language: string;
}

const box =
  'margin: 0 0 16px; padding: 12px 16px; border-radius: 12px; background: #f1f3f6; color: #1b1e24; white-space: pre-wrap; overflow-wrap: anywhere;';

const quoted = (text: string) => text.replace(/^/gm, '> ');

/**
 * The message about a ticket.
 * @param sender.brand the support desk's name, one line of plain text
 * @param sender.host where the support desk runs
 */
export async function ticketMessage(
  { kind, number, texts, replyTime, link, stopLink, language }: TicketMessage,
  { brand, host }: { brand: string; host: string },
): Promise<MailContent> {
  const known = languages.find(({ tag }) => tag === language) ?? english;
  const { received, thanks, answered, lead, open, newDevice, reason, stop } = known.sentences.ticketMail;
  const values: Record<string, string> = { number, brand };
  const fill = (sentence: string) => sentence.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
  const isAnswer = kind === 'answer';
  const subject = fill(isAnswer ? answered : received);
  const begin = fill(isAnswer ? lead : thanks);
  const sender = `${brand}, ${host}`;
  const quotes = texts ?? [];
  const paragraphs = replyTime === null ? [begin] : [begin, replyTime];
  const body = html`${paragraphs.map((each) => html`<p style="margin: 0 0 16px;">${each}</p>`)}
    ${quotes.map((text) => html`<blockquote class="box" dir="auto" style="${box}">${text}</blockquote>`)}
    <p style="margin: 0 0 16px;"><a class="link" style="color: #0b57d0;" href="${link}">${open}</a></p>
    <p class="quiet" style="${quiet}">${newDevice}</p>
    <p class="quiet" style="${quiet}">
      ${fill(reason)} <a class="link" style="color: #0b57d0;" href="${stopLink}">${stop}</a>
    </p>`;
  const text = [
    ...paragraphs,
    ...quotes.map(quoted),
    `${open}\n${link}`,
    newDevice,
    `-- \n${fill(reason)}\n\n${stop}\n${stopLink}\n\n${sender}\n`,
  ].join('\n\n');
  return { subject, text, html: await mailPage(known, { title: subject, body, sender }) };
}
