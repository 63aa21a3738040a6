const { readdirSync, readFileSync } = require('node:fs');
const { brotliCompressSync } = require('node:zlib');

const documents = readdirSync('dist/widget').filter((name) => /^frame\..*\.html$/.test(name));
const script = (name) => `dist/widget/assets/${name}-*.js`;
const english = 'dist/widget/frame.en.html';

/**
 * A language may add 3.3 kB to its document: the difference to the same document without its sentences and without the
 * form's markup, which is made of them.
 */
function limitOf(name) {
  const html = readFileSync(`dist/widget/${name}`, 'utf8');
  const bare = html
    .replace(/(?<=<div id="app">)[^]*?(?=<\/div><script>)/, '')
    .replace(/(?<=id="sentences">)[^]*?(?=<\/script>)/, '');
  return `${brotliCompressSync(bare).length + 3_300} B`;
}

/** Scripts that nobody fetches for a first conversation; the build may not add one that somebody does. */
const rare = ['account', 'diagnose', 'form', 'headless', 'proof', 'Rating', 'Attached', 'site', 'sizes'];
const limited = [
  'app',
  'articles',
  'conversation',
  'deferred',
  'draw',
  'files',
  'find',
  'picture',
  'returning',
  'screenshot',
  'stream',
];

/** Names without the hash of their content, such as `app`. */
const chunks = readdirSync('dist/widget/assets').flatMap(
  (name) => /^([\w-]+)-.{8}\.js$/.exec(name)?.slice(1) ?? [],
);
for (const chunk of chunks)
  if (![...rare, ...limited].includes(chunk)) throw new Error(`the limits do not know the script ${chunk}`);

const sending = ['dist/widget/widget.js', english, script('app')];

/** Brotli, as served. */
module.exports = [
  { name: 'loader', path: 'dist/widget/widget.js', limit: '3.65 kB' },
  { name: 'deferred', path: script('deferred'), limit: '12.5 kB' },
  ...documents.map((name) => ({ name, path: `dist/widget/${name}`, limit: limitOf(name) })),
  // From the page's tag to a ticket that is sent.
  { name: 'can send', path: sending, limit: '38.16 kB' },
  // A new customer's: from the tag to a conversation with answers by the stream and replies. A journey proves that it
  // takes no other script.
  {
    name: 'conversation open',
    path: [...sending, script('conversation'), script('stream')],
    limit: '43.9 kB',
  },
  // Fetched beside the conversation's script by whoever has been here before or is named by the page; by new customers
  // after their first ticket, for the views to come.
  { name: 'returning', path: [script('returning'), script('draw')], limit: '10.95 kB' },
  // Only where the operator has articles.
  { name: 'articles', path: [script('articles'), script('draw')], limit: '4.95 kB' },
  // With the press of the button that takes one.
  { name: 'screenshot', path: script('screenshot'), limit: '4.4 kB' },
  // Only where customers may attach files; the second one with the first picture.
  { name: 'files', path: script('files'), limit: '5.85 kB' },
  { name: 'pictures', path: script('picture'), limit: '1.4 kB' },
  // With the first letter that is searched for.
  { name: 'search of articles', path: script('find'), limit: '5.45 kB' },
];
