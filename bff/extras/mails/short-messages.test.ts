import { describe, expect, it } from 'vitest';
import { languages } from '../../../shared/i18n/languages.ts';
import { codeMessage } from './short-messages.ts';

const sender = { brand: 'Acme', host: 'support.example.com', color: null, logo: null };
const message = await codeMessage({ ...sender, code: '012345', language: 'en' });

describe('the message with a code', () => {
  it('has the code in the subject, in the text and in the HTML', () => {
    expect(message.subject).toBe('012345 is your code for Acme');
    for (const part of [message.text, message.html]) {
      expect(part).toContain('012345');
      expect(part).toContain('Acme');
      expect(part).toContain('support.example.com');
      expect(part).toContain('10 minutes');
    }
  });

  it('loads no resource, contains no link and runs no script', () => {
    expect(message.html).not.toMatch(/https?:|url\(|src=|href=|@import|<(img|link|script|a|form|iframe)\b/i);
  });

  it('has colours for dark mode', () => {
    expect(message.html).toContain('prefers-color-scheme: dark');
    expect(message.html).toContain('name="color-scheme" content="light dark"');
  });

  it('escapes the brand as text', async () => {
    const { html, text } = await codeMessage({
      ...sender,
      code: '012345',
      brand: `A&B $& <img src=x onerror="1"> 'n'`,
      language: 'en',
    });
    expect(html).toContain('A&amp;B $&amp; &lt;img src=x onerror=&quot;1&quot;&gt; &#39;n&#39;');
    expect(html).not.toContain('<img');
    expect(text).toContain(`A&B $& <img src=x onerror="1"> 'n'`);
  });

  it.each(languages)('is complete in $tag', async ({ tag: language, sentences }) => {
    const { subject, text, html } = await codeMessage({ ...sender, code: '012345', language });
    for (const part of [subject, text, html]) {
      expect(part).toContain('012345');
      expect(part).toContain('Acme');
      expect(part).not.toMatch(/[{}]code|[{}]brand/);
    }
    const sentencesOfMail = Object.entries(sentences.codeMail).filter(([name]) => name !== 'subject');
    for (const [, sentence] of sentencesOfMail)
      for (const part of [text, html])
        expect(part).toContain(sentence.replace('{code}', '012345').replace('{brand}', 'Acme'));
    expect(sentences.codeMail.use).toMatch(/10|۱۰/);
    const isRtl = ['Arab', 'Hebr'].includes(new Intl.Locale(language).maximize().script!);
    expect(html).toContain(`<html lang="${language}" dir="${isRtl ? 'rtl' : 'ltr'}">`);
  });

  it('is in English for an unknown language', async () => {
    const unknown = await codeMessage({ ...sender, code: '012345', language: '"><script>' });
    expect(unknown).toEqual(message);
  });
});
