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
  return `${brotliCompressSync(bare).length + 2_050} B`;
}

/** Scripts that nobody fetches for a first conversation; the build may not add one that somebody does. */
const rare = ['account', 'diagnose', 'form', 'headless', 'proof', 'site'];
const limited = ['app', 'articles', 'conversation', 'deferred', 'draw', 'find', 'known'];

/** Names without the hash of their content, such as `app` or `sentences-de`. */
const chunks = readdirSync('dist/widget/assets').flatMap(
  (name) => /^([\w-]+)-.{8}\.js$/.exec(name)?.slice(1) ?? [],
);
const sentences = chunks.filter((chunk) => chunk.startsWith('sentences-'));
if (sentences.length !== documents.length)
  throw new Error(`${documents.length} languages have ${sentences.length} scripts with sentences`);
for (const chunk of chunks)
  if (![...rare, ...limited, ...sentences].includes(chunk))
    throw new Error(`the limits do not know the script ${chunk}`);

/** Brotli, as served. */
module.exports = [
  { name: 'loader', path: 'dist/widget/widget.js', limit: '3.65 kB' },
  { name: 'deferred', path: script('deferred'), limit: '10 kB' },
  ...documents.map((name) => ({ name, path: `dist/widget/${name}`, limit: limitOf(name) })),
  // From the first key that is pressed to a ticket that is sent.
  { name: 'typing and sending', path: [english, script('app')], limit: '25 kB' },
  // A new customer's: from the form to a conversation with answers by the stream and replies. A journey proves that it
  // takes no other script.
  { name: 'a conversation open', path: [english, script('app'), script('conversation')], limit: '37.3 kB' },
  // Fetched beside the conversation's script by whoever has been here before or is named by the page; by new customers
  // after their first ticket, for the views to come.
  { name: 'known', path: [script('known'), script('draw'), script('sentences-en')], limit: '11.9 kB' },
  // The sentences that the document of a language leaves out.
  ...sentences.map((chunk) => ({ name: chunk, path: script(chunk), limit: '2 kB' })),
  // Only where the operator has articles.
  { name: 'articles', path: [script('articles'), script('draw')], limit: '4.6 kB' },
  // With the first letter that is searched for.
  { name: 'search of articles', path: script('find'), limit: '6 kB' },
];
