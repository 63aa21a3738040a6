import { compile, type FormatCallback, type SelectorDefinition } from 'html-to-text';

/*
 * The HTML of a mail as text that reads well. It knows by which elements mail programs mark quotes, signatures and the start of
 * history, and writes them as `>` and as marks, which `new-words.ts` reads. It does not decide what is new.
 */

/**
 * Marks in the text, each of a character that Unicode keeps for a program's own use. `quoteFollows`: the next lines introduce a quote.
 * `history`: what follows is an earlier mail. `picture` encloses the id of an attached picture.
 */
export const marks = {
  quoteFollows: '\uFDD0',
  history: '\uFDD1',
  signatureStarts: '\uFDD2',
  signatureEnds: '\uFDD3',
  picture: '\uFDD4',
  /** In the first line of a quote that only a mail program makes. */
  madeByProgram: '\uFDD5',
} as const;

const anyMark = /[\uFDD0-\uFDEF]/g;
/** Text without marks, such as a text that may have been written to contain some. */
export const withoutMarks = (text: string): string => text.replaceAll(anyMark, '');

type Builder = Parameters<FormatCallback>[2];
type Block = NonNullable<Parameters<Builder['openBlock']>[0]> & Parameters<Builder['closeBlock']>[0];
function inBlock(builder: Builder, fill: () => void, { reservedLineLength, ...more }: Block = {}): void {
  builder.openBlock({ leadingLineBreaks: 1, ...(reservedLineLength && { reservedLineLength }) });
  fill();
  builder.closeBlock({ trailingLineBreaks: 1, ...more });
}

const ownLine =
  (before: string, after = ''): FormatCallback =>
  (element, walk, builder) => {
    const line = (mark: string) => inBlock(builder, () => builder.addInline(mark));
    line(before);
    inBlock(builder, () => walk(element.children, builder));
    if (after) line(after);
  };

/** Builders of texts that are inside a quote. What it quotes in turn gets no second mark: deep ones would write each line many times. */
const insideQuote = new WeakSet<object>();
const quote: FormatCallback = (element, walk, builder, { madeByProgram }) => {
  const fill = () => walk(element.children, builder);
  if (insideQuote.has(builder)) return inBlock(builder, fill);
  insideQuote.add(builder);
  const mark = madeByProgram ? marks.madeByProgram : '';
  inBlock(builder, fill, {
    reservedLineLength: 2,
    blockTransform: (text) => `> ${mark}${text.replaceAll('\n', '\n> ')}`,
  });
  insideQuote.delete(builder);
};

const attachedPicture: FormatCallback = (element, _walk, builder) => {
  const { src = '' } = element.attribs as { src?: string };
  builder.addInline(`${marks.picture}${src.slice('cid:'.length)}${marks.picture}`);
};

/** Above the quote, by Gmail, Thunderbird and others. */
const quoteIntroductions = ['div.gmail_attr', 'div.moz-cite-prefix', 'div.gmail_quote', 'p.tutanota_quote'];
/** Outlook on the web, on phones and on the desktop, Windows Mail, Hotmail, Zimbra, Spark. */
const historyStarts = [
  '[id$="divRplyFwdMsg"]',
  '[id$="appendonsend"]',
  '[id$="mail-editor-reference-message-container"]',
  'div[style*="border-top:solid #e1e1e1"i]',
  'div[style*="border-top:solid #b5c4df"i]',
  'div[style*="border-top-color: rgb(229, 229, 229)"]',
  'hr[id$="stopSpelling"]',
  'hr[id$="zwchr"]',
  'div[name="messageReplySection"]',
];
/** Quotes of Apple Mail, Thunderbird, Yahoo, GMX, Proton, Zoho, and mails of Deskside. People write other `blockquote` elements. */
const quotes = [
  'blockquote[type="cite"]',
  'div[class*="yahoo_quoted"]',
  'div[name="quote"]',
  'div.protonmail_quote',
  'div.zmail_extra',
  'div[class*="deskside-mail"]',
];
const signatures = [
  'div.gmail_signature',
  'div[data-smartmail="gmail_signature"]',
  '[class*="moz-signature"]',
  'div#Signature',
  'div[class*="yahoo-signature"]',
  'div[class*="protonmail_signature_block"]',
  'div[data-signatureblock]',
];
/** What a reader of the mail never sees, such as the sentence for a list of mails. */
const hidden = [
  '[hidden]',
  '[style*="display:none"i]',
  '[style*="display: none"i]',
  '[style*="mso-hide:all"i]',
  '[style*="mso-hide: all"i]',
  '[style*="visibility:hidden"i]',
  '[style*="font-size:0;"i]',
  '[style*="font-size:0px"i]',
  'title',
  'img',
];

const format = (selectors: readonly string[], name: string, options = {}): SelectorDefinition[] =>
  selectors.map((selector) => ({ selector, format: name, options }));
const closeLines = { leadingLineBreaks: 1, trailingLineBreaks: 1 };
const heading = { leadingLineBreaks: 2, trailingLineBreaks: 1, uppercase: false };

const toText = compile({
  wordwrap: false,
  // The whole document: programs put words before the `body` of what they quote.
  baseElements: { selectors: ['no-such-element'], returnDomByDefault: true },
  limits: { maxDepth: 400 },
  formatters: {
    quoteFollows: ownLine(marks.quoteFollows),
    history: ownLine(marks.history),
    signature: ownLine(marks.signatureStarts, marks.signatureEnds),
    quote,
    attachedPicture,
  },
  selectors: [
    ...format(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'], 'heading', heading),
    ...format(['ul'], 'unorderedList', { itemPrefix: '- ' }),
    ...format(['a'], 'anchor', { hideLinkHrefIfSameAsText: true, linkBrackets: ['(', ')'] }),
    ...format(['p.MsoNormal', 'p[style*="margin:0"]', 'p[style*="margin: 0"]'], 'paragraph', closeLines),
    ...format(['tr'], 'block', closeLines),
    ...format(['td', 'th'], 'inlineSurround', { suffix: ' ' }),
    ...format(['blockquote'], 'quote'),
    ...format(quotes, 'quote', { madeByProgram: true }),
    ...format(quoteIntroductions, 'quoteFollows'),
    ...format(signatures, 'signature'),
    ...format(historyStarts, 'history'),
    ...format(hidden, 'skip'),
    ...format(['img[src^="cid:"]'], 'attachedPicture'),
  ],
});

/** Characters that only keep a preview empty. Words of some languages have the zero-width non-joiner inside. */
const invisible = /\u200B|\u2060|\uFEFF|\u00AD|\u034F/g;
const isEmpty = (line: string) => /^[\s\u200C\u200D]*$/.test(line);

/** Converted within some 50 ms. Mails with more have a plain text as a rule. */
const maxLength = 300_000;
/** SECURITY: all may be open, since end tags in comments and attributes end nothing, and the parser searches all open ones at each tag. */
const maxElements = 6_000;
const startTag = /<[a-z]/gi;

/** Whether the conversion would take long. */
export const isTooMuchHtml = (html: string): boolean =>
  html.length > maxLength || (html.match(startTag)?.length ?? 0) > maxElements;

/** Pictures inside HTML, which may have megabytes. No text shows them. */
const dataPictures = /(?<=src=["']?)data:[^"'\s>]+/gi;
export const withoutPictures = (html: string): string => html.replaceAll(dataPictures, '');

/** The text of an HTML page with its marks. */
export function htmlToMarkedText(html: string): string {
  const lines = toText(withoutMarks(html))
    .split('\n')
    .map((line) => line.replaceAll(invisible, '').replaceAll('\u00A0', ' ').trimEnd())
    .map((line) => (isEmpty(line) ? '' : line));
  return lines.filter((line, index) => line !== '' || lines[index - 1] !== '').join('\n');
}
