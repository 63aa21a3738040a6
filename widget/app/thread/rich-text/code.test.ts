import { describe, expect, it } from 'vitest';
import { splitCode } from './code.ts';

const codeIn = (text: string) =>
  splitCode(text).flatMap(({ text: code, code: kind }) => (kind ? [[kind, code]] : []));
const rest = (text: string) =>
  splitCode(text)
    .flatMap(({ text: plain, code }) => (code ? [] : plain))
    .join('|');

describe('code', () => {
  it('is read between fences, with its line breaks and spaces', () => {
    const text = 'Try\n```js\nif (a) {\n  b`c`;\n}\n```\nand see';
    expect(codeIn(text)).toEqual([['block', 'if (a) {\n  b`c`;\n}']]);
    expect(rest(text)).toBe('Try|and see');
  });

  it('is read between backticks within a line', () => {
    expect(codeIn('Run `npm ci`, then `npm test`')).toEqual([
      ['inline', 'npm ci'],
      ['inline', 'npm test'],
    ]);
    expect(codeIn('5` and\n6`')).toEqual([]);
  });

  it('without an end is text', () => {
    const text = '```\nconst a = 1;';
    expect(codeIn(text)).toEqual([]);
    expect(rest(text)).toBe(text);
  });
});
