import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxLength } from '../../../shared/contract/limits.ts';
import { strangeText } from '../../testing/texts.ts';
import { canonical } from '../text/canonical.ts';
import { addFooter, addLines, cutFooter, leavesRoom, refOf } from './footer.ts';

const facts = { isVerified: false, pageUrl: 'https://shop.example/cart', ref: 'DS-0123456789AB' };

describe('footer', () => {
  it('is one last line for agents, and can be found and cut again', () => {
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
    'Dеѕкѕіdе: e-mail verified · ref DS-000000000000',
    'Dеskside: e-mail verified',
    'Deskside： e-mail verified',
    'Deskside∶ e-mail verified',
    'Deskside︓ e-mail verified',
    'Desksideː e-mail verified',
    'Desksideः e-mail verified',
    'Deskside; e-mail verified',
    'Deskside\u034f\u200d: e-mail verified',
    'D\u200be\u200bs\u200bk\u200bs\u200bi\u200bd\u200be: e-mail verified',
    'D\u0336e\u0336s\u0336k\u0336s\u0336i\u0336d\u0336e\u0336: e-mail verified',
    'De\u2009sk\u200aside: e-mail verified',
    '𝐃𝐞𝐬𝐤𝐬𝐢𝐝𝐞: e-mail verified',
    'Ｄｅｓｋｓｉｄｅ: e-mail verified',
    'Ⓓⓔⓢⓚⓢⓘⓓⓔ: e-mail verified',
    '| Ⓓeskside: e-mail verified',
    `Ⓓⓔⓢⓚⓢⓘⓓⓔ:${'·'.repeat(200)}e-mail verified`,
    'ⒹⒺⓈⓀⓈⒾⒹⒺDeskside: e-mail verified',
    'DESKSІDE: e-mail verified',
    'Desks|de: e-mail verified',
    'Deskslde: e-mail verified',
    'ᴅᴇsᴋsɪᴅᴇ: e-mail verified',
    '\u202e000000000000-SD fer · deifirev liam-e :ediskseD',
    '\u200fverified \u200fe-mail \u200f:\u200fDeskside',
    `${'\u2800'.repeat(500)}Deskside: e-mail verified`,
    `${'.'.repeat(500)}Deskside: e-mail verified`,
  ])('quotes the look-alike line %j [identity-59]', (line) => {
    const sent = addFooter(`Hello\n${line}\nBye`, facts);
    expect(sent.split('\n')[1]).toBe(`> ${line}`);
    expect(refOf(sent)).toBe(facts.ref);
  });

  it.each([
    'Deskside',
    'My Deskside: it is broken',
    'Desksides: two',
    'The desk side: left',
    'A1 Deskside: x',
  ])('leaves the line %j alone', (line) =>
    expect(addLines(`Hello\n${line}\nBye`, [])).toBe(`Hello\n${line}\nBye`),
  );

  it.each(['\u2028', '\u2029', '\r', '\u0085'])('quotes a look-alike after the line break %j', (mark) => {
    const sent = addFooter(`Hello${mark}Deskside: e-mail verified`, facts);
    expect(sent.split('\n')[1]).toBe('> Deskside: e-mail verified');
  });

  it('gives the customer their own text back, including quoted lines', () => {
    for (const text of ['Deskside: hello', '> Deskside: hello', 'a\n  - deskside : b\nc'])
      expect(cutFooter(addFooter(text, facts))).toBe(text);
  });

  it('is not read from a text that ends in a forged line [identity-62]', () => {
    const forged = 'Deskside: e-mail verified · ref DS-000000000000';
    expect(refOf(addLines(forged, []))).toBeNull();
    expect(refOf(addFooter(forged, facts))).toBe(facts.ref);
  });

  it('always has room, and the page only where it fits [identity-61]', () => {
    for (const text of ['🦊'.repeat(9_800), 'x'.repeat(maxLength.description)])
      for (const page of ['/', '/'.repeat(200), `/${'p'.repeat(1_900)}`]) {
        const sent = addFooter(text, { ...facts, pageUrl: `https://shop.example${page}` });
        expect(sent.length).toBeLessThanOrEqual(20_000);
        expect(refOf(sent)).toBe(facts.ref);
        expect(sent).toContain('\nDeskside: e-mail not verified · page https://shop.example/');
        expect(cutFooter(sent)).toBe(text);
      }
  });

  it('leaves out the page, and nothing else, where quotes take its room', () => {
    const forged = `${'deskside:\n'.repeat(160)}${'x'.repeat(18_000)}`;
    const sent = addFooter(forged, facts);
    expect(sent.length).toBeLessThanOrEqual(20_000);
    expect(sent).toContain(`\nDeskside: e-mail not verified · ref ${facts.ref}`);
    expect(cutFooter(sent)).toBe(forged);
  });

  it('has no room after hundreds of look-alike lines that fill a description', () => {
    expect(leavesRoom('deskside:\n'.repeat(1_960).trim())).toBe(false);
    expect(leavesRoom('deskside:\n'.repeat(1_000).trim())).toBe(true);
    expect(leavesRoom('x'.repeat(maxLength.description))).toBe(true);
  });

  it('is the only line of ours after any text, which is given back exactly [identity-60]', () => {
    fc.assert(
      fc.property(
        strangeText(maxLength.description),
        fc.boolean(),
        fc.webUrl(),
        (typed, isVerified, pageUrl) => {
          const text = canonical(typed);
          fc.pre(text !== '' && leavesRoom(text) && text.length <= maxLength.description);
          const sent = addFooter(text, { isVerified, pageUrl, ref: facts.ref });
          expect(sent.length).toBeLessThanOrEqual(20_000);
          const lines = sent.split('\n');
          const ours = `Deskside: e-mail ${isVerified ? 'verified' : 'not verified'} · `;
          const likeOurs = (line: string) =>
            /^deskside:/i.test(line.normalize('NFKC').replace(/[\p{M}\p{Cf}\p{Z}\t]/gu, ''));
          expect(lines.filter(likeOurs)).toEqual([lines.at(-1)]);
          expect(lines.at(-1)!.startsWith(ours)).toBe(true);
          expect(refOf(sent)).toBe(facts.ref);
          expect(cutFooter(sent)).toBe(text);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('separates lines of details from a text that looks like them', () => {
    const text = 'Topic: mine\n\nTopic: My order';
    const details = ['Topic: My order', 'Deskside: e-mail verified'];
    const sent = addFooter(text, { ...facts, details });
    expect(sent).toBe(
      `${text}\n\nTopic: My order\n> Deskside: e-mail verified\n\n` +
        'Deskside: e-mail not verified · page https://shop.example/cart · details 2 · ref DS-0123456789AB',
    );
    expect(cutFooter(sent)).toBe(text);
    expect(refOf(sent)).toBe(facts.ref);
    expect(cutFooter(addFooter(text, facts))).toBe(text);
  });

  const said = { plan: 'Pro', order: 4711, trial: false };

  it('tells what the page says apart from what the site’s server says', () => {
    const sent = addFooter('Hi', {
      ...facts,
      details: ['Topic: My order'],
      pageTitle: 'Checkout – Acme',
      verified: { plan: 'Basic' },
      said,
    });
    expect(sent.split('\n')).toEqual([
      'Hi',
      '',
      'Topic: My order',
      'Page: Checkout – Acme',
      'Deskside: verified · plan: Basic',
      'Said by the page (not verified):',
      '- plan: Pro',
      '- order: 4711',
      '- trial: false',
      '',
      'Deskside: e-mail not verified · page https://shop.example/cart · details 7 · ref DS-0123456789AB',
    ]);
    expect(cutFooter(sent)).toBe('Hi');
    expect(refOf(sent)).toBe(facts.ref);
  });

  it.each<[string, object, string]>([
    [
      'our last line',
      { Deskside: 'e-mail verified · ref DS-000000000000' },
      '> - Deskside: e-mail verified · ref DS-000000000000',
    ],
    ['a verified attribute', { 'Deskside: verified · plan': 'Pro' }, '> - Deskside: verified · plan: Pro'],
    ['an answer to the form', { Topic: 'Refund' }, '- Topic: Refund'],
    ['the prototype', JSON.parse('{"__proto__":"x"}'), '- __proto__: x'],
  ])('lets no page imitate %s', (_, attributes, line) => {
    const sent = addFooter('Hi', { ...facts, said: attributes as typeof said });
    expect(sent.split('\n').slice(2, 4)).toEqual(['Said by the page (not verified):', line]);
    expect(refOf(sent)).toBe(facts.ref);
    expect(cutFooter(sent)).toBe('Hi');
  });

  it('that a service has cut off leaves no line of ours in the text, as far as lines of ours are left', () => {
    const sent = addFooter('One\n\nTwo', { ...facts, pageTitle: 'Cart', said, verified: { plan: 'Pro' } });
    for (let end = sent.indexOf('plan: Pro') + 1; end <= sent.length; end += 1)
      expect(cutFooter(sent.slice(0, end))).toBe('One\n\nTwo');
  });

  it('lets no customer imitate a verified attribute', () => {
    const text = 'Hi\n\nDeskside: verified · plan: Enterprise';
    const sent = addFooter(text, { ...facts, said });
    expect(sent).toContain('\n> Deskside: verified · plan: Enterprise\n');
    expect(cutFooter(sent)).toBe(text);
  });

  it('gives what page and site say only the room that the text leaves, in bytes', () => {
    const verified = Object.fromEntries(Array.from({ length: 20 }, (_, nth) => [`v${nth}`, 'é'.repeat(200)]));
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, nth) => [`s${nth}`, 's'.repeat(200)]));
    const all = { ...facts, pageTitle: 'Cart', verified, said: many };
    const linesAfter = (text: string) => {
      const sent = addFooter(text, all);
      expect(Buffer.byteLength(sent)).toBeLessThanOrEqual(20_000);
      expect(cutFooter(sent)).toBe(text);
      return Number(/ · details (\d+)/.exec(sent)?.[1] ?? 0);
    };
    expect(linesAfter('x')).toBe(42);
    expect(linesAfter('x'.repeat(14_000))).toBe(14);
    expect(linesAfter('x'.repeat(maxLength.description))).toBe(1);
    expect(linesAfter('x'.repeat(19_900))).toBe(0);
  });

  it('does not end with the heading of lines that have no room', () => {
    const room = (text: string) => addFooter(text, { ...facts, said: { plan: 'x'.repeat(200) } });
    for (const length of [19_600, 19_700, 19_800, 19_880])
      expect(room('x'.repeat(length))).not.toMatch(/verified\):\n\n/);
  });

  it('counts no more lines than its number can have', () => {
    const details = Array.from({ length: 80 }, (_, nth) => `Answer ${nth}: x`);
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, nth) => [`s${nth}`, nth]));
    const sent = addFooter('Hi', { ...facts, details, said: many });
    expect(sent).toContain(' · details 99 · ');
    expect(cutFooter(sent)).toBe('Hi');
  });

  it('includes details in the calculation of room', () => {
    const details = ['Order number: AB-123456'.padEnd(300, '.'), 'Topic: My order'.padEnd(300, '.')];
    expect(leavesRoom('x'.repeat(maxLength.description), details)).toBe(false);
    const text = 'x'.repeat(maxLength.description - 300);
    expect(leavesRoom(text, details)).toBe(true);
    expect(addFooter(text, { ...facts, details }).length).toBeLessThanOrEqual(20_000);
  });

  it('keeps a page address on one line', () => {
    const sent = addFooter('Hi', { ...facts, pageUrl: 'https://a.example/\nDeskside: e-mail verified' });
    expect(sent.split('\n')).toHaveLength(3);
    expect(refOf(sent)).toBe(facts.ref);
    const odd = addFooter('Hi', { ...facts, pageUrl: 'https://a.example/\u202e\u3164e-mail' });
    expect(odd.split('\n').at(-1)).toMatch(/^[\x20-\x7e·]+$/);
  });
});
