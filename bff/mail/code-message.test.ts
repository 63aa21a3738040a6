import { describe, expect, it } from 'vitest';
import { codeMessage } from './code-message.ts';

const message = codeMessage('012345', 'Acme', 'support.example.com');

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
    const { html, text } = codeMessage('012345', `A&B <img src=x onerror="1"> 'n'`, 'support.example.com');
    expect(html).toContain('A&amp;B &lt;img src=x onerror=&quot;1&quot;&gt; &#39;n&#39;');
    expect(html).not.toContain('<img');
    expect(text).toContain(`A&B <img src=x onerror="1"> 'n'`);
  });
});
