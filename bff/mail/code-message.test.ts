import { describe, expect, it } from 'vitest';
import { languages } from '../../widget/app/i18n/languages.ts';
import { codeMessage } from './code-message.ts';
import { codeSentences } from './sentences.ts';

const host = 'support.example.com';
const message = codeMessage({ code: '012345', brand: 'Acme', host, language: 'en' });

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

  it('loads nothing, links to nothing and runs nothing', () => {
    expect(message.html).not.toMatch(/https?:|url\(|src=|href=|@import|<(img|link|script|a|form|iframe)\b/i);
  });

  it('has colours for dark mode', () => {
    expect(message.html).toContain('prefers-color-scheme: dark');
    expect(message.html).toContain('name="color-scheme" content="light dark"');
  });

  it('shows a brand as text', () => {
    const { html, text } = codeMessage({
      code: '012345',
      brand: `A&B $& <img src=x onerror="1"> 'n'`,
      host,
      language: 'en',
    });
    expect(html).toContain('A&amp;B $&amp; &lt;img src=x onerror=&quot;1&quot;&gt; &#39;n&#39;');
    expect(html).not.toContain('<img');
    expect(text).toContain(`A&B $& <img src=x onerror="1"> 'n'`);
  });

  it.each([...codeSentences])('says all of it in %s', (language, { use, warning }) => {
    const { subject, text, html } = codeMessage({ code: '012345', brand: 'Acme', host, language });
    for (const part of [subject, text, html]) {
      expect(part).toContain('012345');
      expect(part).toContain('Acme');
      expect(part).not.toMatch(/[{}]code|[{}]brand/);
    }
    for (const part of [text, html]) {
      expect(part).toContain(use);
      expect(part).toContain(warning);
    }
    expect(use).toMatch(/10|۱۰/);
    const isRtl = ['Arab', 'Hebr'].includes(new Intl.Locale(language).maximize().script!);
    expect(html).toContain(`<html lang="${language}" dir="${isRtl ? 'rtl' : 'ltr'}">`);
  });

  it('is there in every language of the widget', () => {
    expect([...codeSentences.keys()]).toEqual(languages.map(({ tag }) => tag));
  });

  it('is English for who asks for a language that there is not', () => {
    expect(codeMessage({ code: '012345', brand: 'Acme', host, language: '"><script>' })).toEqual(message);
  });
});
