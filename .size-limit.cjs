const { readdirSync } = require('node:fs');

const documents = readdirSync('dist/widget').filter((name) => /^frame\..*\.html$/.test(name));
const entry = 'dist/widget/assets/app-*.js';
const conversation = 'dist/widget/assets/conversation-*.js';

/** Brotli, as served. */
module.exports = [
  { name: 'loader', path: 'dist/widget/widget.js', limit: '3 kB' },
  { name: 'deferred', path: 'dist/widget/assets/deferred-*.js', limit: '7.1 kB' },
  ...documents.map((name) => ({ name, path: `dist/widget/${name}`, limit: '5.3 kB' })),
  { name: 'typing and sending', path: ['dist/widget/frame.en.html', entry], limit: '24 kB' },
  {
    name: 'a conversation open',
    path: ['dist/widget/frame.en.html', entry, conversation],
    limit: '37.8 kB',
  },
];
