const { readdirSync, readFileSync } = require('node:fs');
const { brotliCompressSync } = require('node:zlib');

const documents = readdirSync('dist/widget').filter((name) => /^frame\..*\.html$/.test(name));
const script = (name) => `dist/widget/assets/${name}-*.js`;
const english = 'dist/widget/frame.en.html';

/**
 * A language may add 2 kB to its document: the difference to the same document without its sentences and without the
 * form's markup, which is made of them.
 */
function limitOf(name) {
  const html = readFileSync(`dist/widget/${name}`, 'utf8');
  const bare = html
    .replace(/(?<=<div id="app">)[^]*?(?=<\/div><script>)/, '')
    .replace(/(?<=id="sentences">)[^]*?(?=<\/script>)/, '');
  return `${brotliCompressSync(bare).length + 2_000} B`;
}

/** Scripts that nobody fetches for a first conversation; the build may not add one that somebody does. */
const rare = ['account', 'diagnose', 'form', 'headless', 'proof', 'site'];
const limited = ['app', 'articles', 'conversation', 'deferred', 'find', 'known'];
for (const name of readdirSync('dist/widget/assets')) {
  const [, chunk] = /^([\w-]+)-.{8}\.js$/.exec(name) ?? [];
  if (chunk && !chunk.startsWith('sentences-') && ![...rare, ...limited].includes(chunk))
    throw new Error(`the limits do not know the script ${name}`);
}

/** Brotli, as served. */
module.exports = [
  { name: 'loader', path: 'dist/widget/widget.js', limit: '3 kB' },
  { name: 'deferred', path: script('deferred'), limit: '7.7 kB' },
  ...documents.map((name) => ({ name, path: `dist/widget/${name}`, limit: limitOf(name) })),
  // From the first key that is pressed to a ticket that is sent.
  { name: 'typing and sending', path: [english, script('app')], limit: '24 kB' },
  // A new customer's: from the form to a conversation with answers by the stream and replies. A journey proves that it
  // takes no other script.
  { name: 'a conversation open', path: [english, script('app'), script('conversation')], limit: '34 kB' },
  // Fetched beside the conversation's script by whoever has been here before or is named by the page; by new customers
  // after their first ticket, for the views to come.
  { name: 'known', path: [script('known'), script('sentences-en')], limit: '7.4 kB' },
  // Only where the operator has articles.
  { name: 'articles', path: script('articles'), limit: '4.2 kB' },
  // With the first letter that is searched for.
  { name: 'search of articles', path: script('find'), limit: '6 kB' },
];
