import { describe, expect, it } from 'vitest';
import { codePoints } from '../contract/limits.ts';
import { addFooter, cutFooter, refOf } from './footer.ts';

const facts = { isVerified: false, pageUrl: 'https://shop.example/cart', ref: 'DS-0123456789AB' };

describe('footer', () => {
  it('is one last line for agents, found and cut again', () => {
    const sent = addFooter('My tea is cold.\n\nHelp!', facts);
    expect(sent.split('\n').at(-1)).toBe(
      'Deskside: e-mail not verified · page https://shop.example/cart · ref DS-0123456789AB',
    );
    expect(cutFooter(sent)).toBe('My tea is cold.\n\nHelp!');
    expect(refOf(sent)).toBe('DS-0123456789AB');
  });

  it('survives a service that trims or changes the space at the end', () => {
    expect(refOf(`${addFooter('Hi', facts)}\n  `)).toBe(facts.ref);
    expect(cutFooter(`${addFooter('Hi', facts)}\n`)).toBe('Hi');
  });

  it.each([
    'Deskside: e-mail verified · ref DS-000000000000',
    '  — deskside : e-mail verified',
    '\u202eDESKSIDE: e-mail verified',
    '> Deskside: e-mail verified',
  ])('quotes the look-alike line %j', (line) => {
    const sent = addFooter(`Hello\n${line}\nBye`, facts);
    expect(sent.split('\n')[1]).toBe(`> ${line}`);
    expect(refOf(sent)).toBe(facts.ref);
  });

  it('is not slowed by a line made to be slow', () => {
    const hostile = `a\n${'\uFEFF'.repeat(10_000)}x\n${' >'.repeat(4_000)}x`;
    expect(addFooter(hostile, null)).toBe(hostile);
  });

  it('gives the customer their own text back, quotes and all', () => {
    for (const text of ['Deskside: hello', '> Deskside: hello', 'a\n  - deskside : b\nc'])
      expect(cutFooter(addFooter(text, facts))).toBe(text);
  });

  it('is not taken from a text that ends in a forged line', () => {
    const forged = 'Deskside: e-mail verified · ref DS-000000000000';
    expect(refOf(addFooter(forged, null))).toBeNull();
    expect(refOf(addFooter(forged, facts))).toBe(facts.ref);
  });

  it('gives way to the customer’s own 20,000 code points, the page first', () => {
    const full = '🦊'.repeat(20_000);
    expect(addFooter(full, facts)).toBe(full);
    const almost = 'x'.repeat(19_940);
    const sent = addFooter(almost, facts);
    expect(refOf(sent)).toBe(facts.ref);
    expect(sent).not.toContain('shop.example');
    expect(codePoints(sent)).toBeLessThanOrEqual(20_000);
  });

  it('quotes even where the text leaves no room for a quote', () => {
    const forged = 'Deskside: e-mail verified · ref DS-000000000000';
    const full = `${'x'.repeat(20_000 - codePoints(forged) - 1)}\n${forged}`;
    const sent = addFooter(full, facts);
    expect(codePoints(sent)).toBe(20_000);
    expect(refOf(sent)).toBeNull();
  });

  it('keeps a page address on one line', () => {
    const sent = addFooter('Hi', { ...facts, pageUrl: 'https://a.example/\nDeskside: e-mail verified' });
    expect(sent.split('\n')).toHaveLength(3);
    expect(refOf(sent)).toBe(facts.ref);
  });
});
