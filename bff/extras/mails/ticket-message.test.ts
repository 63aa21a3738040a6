import { describe, expect, it } from 'vitest';
import { languages } from '../../../shared/i18n/languages.ts';
import { type TicketMessage, ticketMessage } from './ticket-message.ts';

const sender = { brand: 'Acme', host: 'support.example.com', color: null, logo: null };
const message: TicketMessage = {
  kind: 'answer',
  number: '1042',
  texts: null,
  replyTime: null,
  answers: 'ticket',
  reference: '1042-1',
  link: 'https://support.example.com/?ticket=1',
  unsubscribeLink: 'https://support.example.com/unsubscribe/1',
  language: 'en',
};

describe('the message about a ticket', () => {
  it('has the same subject of brand and number whatever it says, so that mail programs group it', async () => {
    const subjects = await Promise.all(
      [message, { ...message, texts: ['Hello'] }, { ...message, kind: 'confirmation' as const }].map(
        async (each) => (await ticketMessage(each, sender)).subject,
      ),
    );
    expect(new Set(subjects)).toEqual(new Set(['Your message to Acme (no. 1042)']));
  });

  it('has both links in the text and in the HTML', async () => {
    const { text, html } = await ticketMessage(message, sender);
    for (const part of [text, html])
      for (const words of ['Acme', message.link, message.unsubscribeLink]) expect(part).toContain(words);
  });

  it('loads no resource and runs no script', async () => {
    const { html } = await ticketMessage(message, sender);
    expect(html).not.toMatch(/url\(|src=|@import|<(img|link|script|form|iframe)\b/i);
  });

  it('has the logo of the brand, and a button in its colour with readable text', async () => {
    const logo = 'https://cdn.test/l.png?a=1&b=2';
    const buttonOf = async (color: string) =>
      /<a\s+style="([^"]*)"/.exec((await ticketMessage(message, { ...sender, color, logo })).html)![1];
    expect(await buttonOf('#a8482a')).toContain('background: #a8482a; color: #ffffff;');
    expect(await buttonOf('#ffe08a')).toContain('background: #ffe08a; color: #000000;');
    const { html, text } = await ticketMessage(message, { ...sender, logo });
    expect(html).toContain('src="https://cdn.test/l.png?a=1&amp;b=2"');
    expect(text).not.toContain(logo);
  });

  it('gives the words of agents as they are, and quotes those of the customer, as text', async () => {
    const texts = ['One\n\n<b>two</b>', '> three'];
    const { text, html } = await ticketMessage({ ...message, texts }, sender);
    expect(text).toContain('\n\nOne\n\n<b>two</b>\n\n* * *\n\n> three\n\n');
    expect(html).toContain('>One\n\n&lt;b&gt;two&lt;/b&gt;</div>');
    const own = await ticketMessage({ ...message, kind: 'confirmation', texts }, sender);
    expect(own.text).toContain('> One\n> \n> <b>two</b>\n\n> > three\n');
    expect(own.html).toContain('>One\n\n&lt;b&gt;two&lt;/b&gt;</blockquote>');
  });

  it.each([
    [
      'the newest words of agents',
      { texts: ['Old', 'A **new** lid leaves today.'] },
      'A new lid leaves today.',
    ],
    ['a sentence where it has no text', {}, 'Acme has replied to your message.'],
    [
      'a sentence where it has the customer’s own',
      { kind: 'confirmation', texts: ['Mine'] },
      'Acme has your message',
    ],
  ] as const)('is listed with %s', async (_, more, words) => {
    const { html, text, subject } = await ticketMessage({ ...message, ...more }, sender);
    const preview = /<div\s+style="display: none;[^>]*>\s*(.*?)(?:&nbsp;|\s*<)/s.exec(html)![1];
    expect(preview).toContain(words);
    expect(subject).not.toContain(words);
    expect(text.split(words)).toHaveLength(2);
  });

  it('is listed with no half of a character', async () => {
    const { html } = await ticketMessage({ ...message, texts: [`a${'🎉'.repeat(100)}`] }, sender);
    expect(html).toContain(`a${'🎉'.repeat(69)}…`);
  });

  it('has an element of the class deskside-mail around all that can be seen', async () => {
    const { html } = await ticketMessage({ ...message, texts: ['Hello'] }, sender);
    expect(html).toMatch(/<div\s+class="deskside-mail page"\s+lang="en"\s+dir="ltr"/);
    expect(html.indexOf('>Hello<')).toBeGreaterThan(html.indexOf('deskside-mail'));
  });

  it('ends in another way than the other mails about its ticket, since Gmail hides equal endings', async () => {
    const endOf = async (reference: string) =>
      (await ticketMessage({ ...message, reference }, sender)).html.slice(-400);
    expect(await endOf('1042-1')).not.toBe(await endOf('1042-2'));
  });

  it('shows the formatting of an agent’s answer in the HTML, and none in the text', async () => {
    const texts = [
      'See **[our page](https://a.example/?a=1&b=2)**:\r\n- one\r\n- two\n\n|a|b|\n|-|-|\n|1|"2"|',
    ];
    const { text, html } = await ticketMessage({ ...message, texts }, sender);
    expect(text).toContain('See our page (https://a.example/?a=1&b=2):\n• one\n• two\na | b\n1 | "2"\n');
    const plain = html.replaceAll(/ style="[^"]*"/g, '');
    expect(plain).toContain(
      'See <strong><a href="https://a.example/?a=1&amp;b=2">our page</a></strong>:<ul><li>one</li>',
    );
    expect(plain).toContain('<td>&quot;2&quot;</td>');
    const own = await ticketMessage({ ...message, kind: 'confirmation', texts: ['**a**'] }, sender);
    expect(own.text).toContain('> **a**');
  });

  it('shows a brand and a number unchanged', async () => {
    const odd = { ...sender, brand: '$& {number}', host: 'h' };
    const { subject, text } = await ticketMessage({ ...message, number: '$1{brand}' }, odd);
    expect(subject).toBe('Your message to $& {number} (no. $1{brand})');
    expect(text).toContain('$& {number} has replied');
  });

  it.each(languages)('is complete in $tag', async ({ tag: language, dir, sentences }) => {
    for (const kind of ['answer', 'confirmation'] as const) {
      const { subject, text, html } = await ticketMessage({ ...message, kind, language }, sender);
      expect(subject).toContain('1042');
      for (const part of [text, html]) {
        expect(part).toContain('Acme');
        expect(part).not.toMatch(/[{}](number|brand)/);
        expect(part).toContain(sentences.ticketMail.canReply);
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
