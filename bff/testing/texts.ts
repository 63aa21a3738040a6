import fc from 'fast-check';
import './seed.ts';

/** Strings that have slowed or misled text handling, with ordinary ones between them. */
const pieces = [
  'a',
  'Z',
  ' ',
  '\n',
  'word ',
  '日本',
  '🦊',
  '👩🏽‍🚀',
  '>',
  '> ',
  '-',
  '1',
  '\r',
  '\r\n',
  '\t',
  '\v',
  '\f',
  '\u0085',
  '\u2028',
  '\u2029',
  '\u00a0',
  '\ufeff',
  '\u3000',
  '\u200b',
  '\u0301',
  '\u0316',
  '\u0344',
  '\u0f73',
  '\u034f',
  '\u0903',
  '\u20dd',
  '\ufe0f',
  '\u{1d165}',
  '\u0958',
  '\ufb2c',
  '\uac00',
  '\u1100\u1161',
  '\ufdfa',
  '\u202e',
  '\u2066',
  '\u00ad',
  '\u2800',

  'Deskside',
  'deskside:',
  'Dеѕкѕіdе：',
  '𝐃𝐞𝐬𝐤𝐬𝐢𝐝𝐞∶',
  'ⒹⒺⓈⓀⓈⒾⒹⒺ:',
  ':',
  '：',
  '·',
  '@',
  '.',
  '+',
  '%',
  '/',
  'Deskside: e-mail verified · ref DS-000000000000',
];

/** Texts of up to `maxLength` UTF-16 units: random, made of unusual pieces, or long runs of one piece. */
export const strangeText = (maxLength: number): fc.Arbitrary<string> =>
  fc
    .array(
      fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom(...pieces) },
        { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
        {
          weight: 1,
          arbitrary: fc
            .tuple(fc.constantFrom(...pieces), fc.nat({ max: maxLength }))
            .map(([piece, length]) => piece.repeat(Math.ceil(length / piece.length))),
        },
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join('').slice(0, maxLength).toWellFormed());

/** Pieces that can be repeated to a text of any length, which shows whether the time grows too fast. */
export const repeatable: readonly string[] = [
  ...pieces,
  '\u0301\u0316',
  ' >',
  '> \u2028',
  '\u2028x',
  '> \n',
  'deskside\u0301',
  '+@',
  '*',
  '[',
  '](',
  '**a ',
  '_a',
  '`',
  '```',
  '- a\n',
  '> a\n',
  '>',
  '|-',
  '|-\n',
  '1 1:\n',
  '1 1 <a@a>:\n\n',
  '-- a --\n',
  '---\n',
  'https://a',
  'https://a.example/(',
];
