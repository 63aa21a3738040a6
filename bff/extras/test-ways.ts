import { wordsOf } from '../../shared/contract/article-search.ts';
import type { NewTicket } from '../../shared/contract/tickets.ts';
import { readMessage } from '../../shared/text/message.ts';
import { plainText } from '../../shared/text/plain.ts';
import { readAddress } from '../core/identity/address.ts';
import { codeRequestSchema, newMessageSchema, newTicketSchema } from '../core/http/validate.ts';
import { canonical, shorten } from '../core/text/canonical.ts';
import { addFooter, cutFooter, leavesRoom, refOf } from '../core/tickets/footer.ts';
import { cleanName } from './files/names.ts';
import { htmlToMarkedText, isTooMuchHtml } from './mails/in/html-text.ts';
import { newWords } from './mails/in/new-words.ts';

const footer = { isVerified: false, pageUrl: 'https://shop.example/', ref: 'DS-0123456789AB' };
/** A text in every field that accepts one. */
const everyField = (text: string) =>
  ({
    subject: text,
    description: text,
    customer_email: text,
    customer_name: text,
    context: { page_url: `https://a.example/${text}`, page_title: text, attributes: { [text]: text } },
    language: text,
    website: text,
    form: { version: text, topic: text, fields: { order: text } },
    files: [text],
  }) satisfies Record<Exclude<keyof NewTicket, 'priority' | 'notify'>, unknown>;

/** Every way of a text of a stranger through this process, or through a customer's browser. */
export const ways: Record<string, (text: string) => unknown> = {
  'a new ticket': (text) => newTicketSchema.safeParse(everyField(text)),
  'a reply': (text) => newMessageSchema.safeParse({ body: text }),
  'a request for a code': (text) => codeRequestSchema.safeParse({ email: text, language: text }),
  'an address': (text) => [readAddress(text), readAddress(`ada@${text}`), readAddress(`${text}@example.com`)],
  'a description to send': (text) => [canonical(text), leavesRoom(text), addFooter(text, footer)],
  'a description that was read': (text) => [cutFooter(text), refOf(text), shorten(text, 140)],
  'an agent’s message': (text) => plainText(readMessage(text, 'agent'), { isShort: false }),
  'a customer’s message': (text) => readMessage(text, 'customer'),
  'a search of articles': wordsOf,
  'the name of a file': (text) => cleanName(text, 'image/png'),
  'the text of a mail': (text) => newWords(text),
  'the HTML of a mail': (text) => isTooMuchHtml(text) || htmlToMarkedText(text),
};
