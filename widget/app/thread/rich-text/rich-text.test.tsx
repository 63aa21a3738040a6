import { render } from 'preact';
import { describe, expect, it } from 'vitest';
import { RichText } from './RichText.tsx';

function htmlOf(text: string, isFormatted = true): string {
  const root = document.createElement('div');
  render(<RichText text={text} isFormatted={isFormatted} />, root);
  return root.innerHTML.replaceAll(/ (title|dir|target|rel)="[^"]*"/g, '');
}

describe('an agent’s text', () => {
  it.each([
    ['It is **really** *nice* and _soft_.', 'It is <strong>really</strong> <em>nice</em> and <em>soft</em>.'],
    ['**very *very* nice**', '<strong>very <em>very</em> nice</strong>'],
    ['2*3*4, snake_case_name, * a *, ** b **', '2*3*4, snake_case_name, * a *, ** b **'],
    ['*open', '*open'],
    ['(*so*)!', '(<em>so</em>)!'],
  ])('%j shows emphasis', (text, html) => {
    expect(htmlOf(text)).toBe(html);
  });

  it('shows lists, and a single dash as a dash', () => {
    expect(htmlOf('Please:\n- *one*\n- two\nThanks')).toBe(
      'Please:<ul><li><em>one</em></li><li>two</li></ul>Thanks',
    );
    expect(htmlOf('2. two\n3) three')).toBe('<ol><li value="2">two</li><li value="3">three</li></ol>');
    expect(htmlOf('- Ada')).toBe('- Ada');
  });

  it('shows a link in emphasis, and an address with marks as it is', () => {
    expect(htmlOf('**https://a.example/x**')).toBe(
      '<strong><a href="https://a.example/x">https://a.example/x</a></strong>',
    );
    expect(htmlOf('https://a.example/_b_/*c*')).toContain('<a href="https://a.example/_b_/*c">');
  });

  it('shows no mark inside code', () => {
    expect(htmlOf('`**x**`')).toBe('<code class="inline">**x**</code>');
  });

  it('is never HTML', () => {
    expect(htmlOf('**<img src=x onerror=alert(1)>**\n- <b>\n- </ul>')).not.toMatch(/<(img|b>|script)/);
  });
});

it('a customer’s own text keeps the marks that they typed, and has links', () => {
  expect(htmlOf('*so* **it** https://a.example/', false)).toBe(
    '*so* **it** <a href="https://a.example/">https://a.example/</a>',
  );
});
