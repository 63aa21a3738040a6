import { describe, expect, it } from 'vitest';
import { createTestService } from '../../../test-service.ts';
import { pageText } from '../../test-desk.ts';
import { splitLinks } from './links.ts';

const linksOf = (text: string) => splitLinks(text).flatMap(({ href }) => href ?? []);

describe('addresses in a text', () => {
  it.each([
    ['See https://a.example/b?c=1#d, please.', 'https://a.example/b?c=1#d'],
    ['(http://localhost:4001/x)', 'http://localhost:4001/x'],
    ['**https://a.example/x**', 'https://a.example/x'],
  ])('are links without the punctuation around them: %s', (text, href) => {
    expect(linksOf(text)).toStrictEqual([href]);
    expect(
      splitLinks(text)
        .map((piece) => piece.text)
        .join(''),
    ).toBe(text);
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,<script>',
    'ftp://a.example',
    'https://user@a.example',
    'https://\u0430pple.example',
    'https://a.example/\u202etxt.exe',
    'https://',
  ])('stay plain text when they could run script or lead to another address: %j', (text) => {
    expect(linksOf(text)).toStrictEqual([]);
  });

  it('open in a new tab without a referrer, and the text around them is escaped', async () => {
    const service = createTestService();
    const { id } = await service.createTicket({
      description: `<b>https://a.example/?a=1&b="x"onclick='y'</b>`,
    });
    const text = await pageText(service, `/tickets/${id}`);
    expect(text).toContain(
      '&lt;b&gt;<a href="https://a.example/?a=1&amp;b=" target="_blank" rel="noopener noreferrer nofollow">https://a.example/?a=1&amp;b=</a>&quot;x&quot;onclick=',
    );
  });
});
