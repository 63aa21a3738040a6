import { describe, expect, it } from 'vitest';
import { languages } from '../../widget/i18n/languages.ts';
import { type TicketMessage, ticketMessage } from './ticket-message.ts';

const sender = { brand: 'Acme', host: 'support.example.com' };
const message: TicketMessage = {
  kind: 'answer',
  number: '1042',
  texts: null,
  replyTime: null,
  link: 'https://support.example.com/?ticket=1',
  unsubscribeLink: 'https://support.example.com/unsubscribe/1',
  language: 'en',
};

describe('the message about a ticket', () => {
  it('has its number in the subject, and both links in the text and in the HTML', async () => {
    const { subject, text, html } = await ticketMessage(message, sender);
    expect(subject).toBe('New reply to your message (no. 1042)');
    for (const part of [text, html])
      for (const words of ['Acme', message.link, message.unsubscribeLink]) expect(part).toContain(words);
  });

  it('loads no resource and runs no script', async () => {
    const { html } = await ticketMessage(message, sender);
    expect(html).not.toMatch(/url\(|src=|@import|<(img|link|script|form|iframe)\b/i);
  });

  it('quotes every line of every text, as text', async () => {
    const texts = ['One\n\n<b>two</b>', '> three'];
    const { text, html } = await ticketMessage({ ...message, texts }, sender);
    expect(text).toContain('> One\n> \n> <b>two</b>\n\n> > three\n');
    expect(html).toContain('>One\n\n&lt;b&gt;two&lt;/b&gt;</blockquote>');
  });

  it('shows a brand and a number unchanged', async () => {
    const odd = { brand: '$& {number}', host: 'h' };
    const { subject, text } = await ticketMessage({ ...message, number: '$1{brand}' }, odd);
    expect(subject).toBe('New reply to your message (no. $1{brand})');
    expect(text).toContain('$& {number} has replied');
  });

  it.each(languages)('is complete in $tag', async ({ tag: language, dir }) => {
    for (const kind of ['answer', 'confirmation'] as const) {
      const { subject, text, html } = await ticketMessage({ ...message, kind, language }, sender);
      expect(subject).toContain('1042');
      for (const part of [text, html]) {
        expect(part).toContain('Acme');
        expect(part).not.toMatch(/[{}](number|brand)/);
      }
      expect(html).toContain(`<html lang="${language}" dir="${dir}">`);
    }
  });

  it('is in English for an unknown language', async () => {
    expect(await ticketMessage({ ...message, language: '"><script>' }, sender)).toEqual(
      await ticketMessage(message, sender),
    );
  });
});
