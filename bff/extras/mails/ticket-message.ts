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
  /** Whether an answer to the mail goes to an address that the operator has named for it. */
  hasReplyTo: boolean;
  /** Unsubscribes the address from these mails. */
  unsubscribeLink: string;
  language: string;
}

const box =
  'margin: 0 0 16px; padding: 12px 16px; border-radius: 12px; background: #f1f3f6; color: #1b1e24; white-space: pre-wrap; overflow-wrap: anywhere;';

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

/** The message about a ticket. */
export async function ticketMessage(
  { kind, number, texts, replyTime, link, hasReplyTo, unsubscribeLink, language }: TicketMessage,
  sender: Sender,
): Promise<MailContent> {
  const { brand, host } = sender;
  const known = languageOf(language);
  const { received, thanks, answered, lead, open, noReply, newDevice, reason, stop } =
    known.sentences.ticketMail;
  const values: Record<string, string> = { number, brand };
  const fill = (sentence: string) => sentence.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
  const isAnswer = kind === 'answer';
  const subject = fill(isAnswer ? answered : received);
  const begin = fill(isAnswer ? lead : thanks);
  const quotes = (texts ?? []).map((text) => readMessage(text, isAnswer ? 'agent' : 'customer'));
  const paragraphs = replyTime === null ? [begin] : [begin, replyTime];
  const hints = hasReplyTo ? [newDevice] : [noReply, newDevice];
  const body = html`${paragraphs.map((each) => html`<p style="margin: 0 0 16px;">${each}</p>`)}
    ${quotes.map((nodes) => html`<blockquote class="box" dir="auto" style="${box}">${drawn(nodes)}</blockquote>`)}
    <p style="margin: 0 0 16px;">${mainLink(link, open, sender)}</p>
    <p class="quiet" style="${quiet}">${hints.join(' ')}</p>
    <p class="quiet" style="${quiet}">
      ${fill(reason)} <a class="link" style="color: #0b57d0;" href="${unsubscribeLink}">${stop}</a>
    </p>`;
  const text = [
    ...paragraphs,
    ...quotes.map((nodes) => quoted(plainText(nodes, { isShort: false }))),
    `${open}\n${link}`,
    hints.join(' '),
    `-- \n${fill(reason)}\n\n${stop}\n${unsubscribeLink}\n\n${brand}, ${host}\n`,
  ].join('\n\n');
  return { subject, text, html: await mailPage(known, { title: subject, body, sender }) };
}
