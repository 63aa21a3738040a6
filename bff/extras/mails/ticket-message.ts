import { html, raw } from 'hono/html';
import { drawMessage } from '../../../shared/text/draw.ts';
import { readMessage } from '../../../shared/text/message.ts';
import type { TextNode } from '../../../shared/text/nodes.ts';
import { plainText } from '../../../shared/text/plain.ts';
import {
  type Html,
  languageOf,
  type MailContent,
  mailPage,
  mainLink,
  quiet,
  type Sender,
} from './mail-page.ts';

/**
 * `confirmation`: the ticket was delivered to the service. `answer`: agents have answered, and the customer has not
 * read it.
 */
export type TicketMailKind = 'confirmation' | 'answer';

/** The content of a mail about a ticket. */
export interface TicketMessage {
  kind: TicketMailKind;
  /** The ticket's number, as agents see it. */
  number: string;
  /**
   * The messages, oldest first. Null for an address that nobody has proven. SECURITY: somebody may have typed another
   * person's address. That person must get none of the texts.
   */
  texts: readonly string[] | null;
  /** When an answer usually comes. Null: the mail does not mention it. */
  replyTime: string | null;
  /** Where the ticket can be read. The link alone gives no access. */
  link: string;
  /**
   * Where an answer to the mail goes: to the `ticket`, `elsewhere` to an address that the operator has named for it, or
   * `nowhere`, so that the mail asks to answer on the page.
   */
  answers: 'ticket' | 'elsewhere' | 'nowhere';
  /** Different in each mail about a ticket. */
  reference: string;
  /** Unsubscribes the address from these mails. */
  unsubscribeLink: string;
  language: string;
}

const box =
  'margin: 0 0 16px; padding: 12px 16px; border-radius: 12px; background: #f1f3f6; color: #1b1e24; white-space: pre-wrap; overflow-wrap: anywhere;';

const words =
  'margin: 0 0 24px; font-size: 17px; line-height: 1.6; white-space: pre-wrap; overflow-wrap: anywhere;';
const ruled = ' padding-top: 24px; border-top: 1px solid #cfd4dc;';

const styles: Record<string, string> = {
  h2: 'margin: 8px 0 4px; font-size: 18px;',
  h3: 'margin: 8px 0 4px; font-size: 16px;',
  h4: 'margin: 8px 0 4px; font-size: 16px;',
  ul: 'margin: 4px 0; padding: 0 24px;',
  ol: 'margin: 4px 0; padding: 0 24px;',
  blockquote: 'margin: 4px 0; padding: 0 12px; border: solid #b7bdc8; border-width: 0 2px;',
  pre: 'margin: 4px 0; white-space: pre-wrap;',
  table: 'margin: 4px 0; border-collapse: collapse;',
  th: 'padding: 4px 8px; border: 1px solid #b7bdc8; text-align: start;',
  td: 'padding: 4px 8px; border: 1px solid #b7bdc8; vertical-align: top;',
  a: 'color: inherit;',
};
const kept = new Set(['href', 'dir', 'start', 'value', 'scope']);
const empty = new Set(['hr', 'br']);

/** An element of a message. A mail shows at once what is quoted in it, since mail programs have no disclosures. */
function create(tag: string, attributes: Record<string, string | number>, children: (Html | string)[]): Html {
  if (tag === 'details') return html`${children.slice(1)}`;
  const named = Object.entries(attributes).filter(([name]) => kept.has(name));
  const style = styles[tag];
  const begin = html`${raw(`<${tag}`)}${named.map(([name, value]) => html` ${raw(name)}="${value}"`)}`;
  const end = empty.has(tag) ? '' : raw(`</${tag}>`);
  return html`${begin}${style ? html` style="${style}"` : ''}>${children}${end}`;
}

const drawn = (nodes: readonly TextNode[]) =>
  drawMessage<Html>(nodes, { create, tableName: '', quotedLabel: '' });

const quoted = (text: string) => text.replace(/^/gm, '> ');

/** The message about a ticket. Its subject is the same in all mails about it, since Gmail and Outlook group by it. */
export async function ticketMessage(
  { kind, number, texts, replyTime, link, answers, reference, unsubscribeLink, language }: TicketMessage,
  sender: Sender,
): Promise<MailContent> {
  const { brand, host } = sender;
  const known = languageOf(language);
  const { ticketMail } = known.sentences;
  const values: Record<string, string> = { number, brand };
  const fill = (sentence: string) => sentence.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
  const isAnswer = kind === 'answer';
  const subject = fill(ticketMail.subject);
  const lead = fill(isAnswer ? ticketMail.lead : ticketMail.thanks);
  const reason = fill(ticketMail.reason);
  const { open, canReply, noReply, newDevice, stop } = ticketMail;
  const invitation = answers === 'ticket' ? canReply : '';
  const hint = answers === 'nowhere' ? `${noReply} ${newDevice}` : newDevice;
  const read = (texts ?? []).map((text) => readMessage(text, isAnswer ? 'agent' : 'customer'));
  const hasAnswers = isAnswer && read.length > 0;
  const paragraphs = [lead, ...(replyTime === null ? [] : [replyTime])];
  const body = html`${paragraphs.map((each) =>
      hasAnswers
        ? html`<p class="quiet" style="${quiet}">${each}</p>`
        : html`<p style="margin: 0 0 16px;">${each}</p>`,
    )}
    ${read.map((nodes, index) =>
      isAnswer
        ? html`<div class="ruled" dir="auto" style="${words}${index > 0 ? ruled : ''}">${drawn(nodes)}</div>`
        : html`<blockquote class="box" dir="auto" style="${box}">${drawn(nodes)}</blockquote>`,
    )}
    ${invitation && html`<p style="margin: 0 0 16px;">${invitation}</p>`} ${mainLink(link, open, sender)}
    <p class="quiet" style="${quiet} margin: 0;">${hint}</p>`;
  const foot = html`<p style="margin: 0 0 8px;">
    ${reason} <a style="color: #5b6370;" href="${unsubscribeLink}">${stop}</a>
  </p>`;
  const plain = read.map((nodes) => plainText(nodes, { isShort: false }).trim());
  const text = [
    ...paragraphs,
    isAnswer ? plain.join('\n\n* * *\n\n') : plain.map(quoted).join('\n\n'),
    invitation,
    `${open}:\n${link}`,
    hint,
    `-- \n${reason}\n\n${stop}:\n${unsubscribeLink}\n\n${brand}, ${host}\n`,
  ]
    .filter(Boolean)
    .join('\n\n');
  const preview = hasAnswers ? plainText(read.at(-1)!, { isShort: true }) : lead;
  return {
    subject,
    text,
    html: await mailPage(known, { title: subject, preview, body, foot, reference, sender }),
  };
}
