import type { Plugin } from 'vite';

/** An error that the parser makes, with all of its arguments. */
const parseError = /new ParseError\([^]*?\bline\s*\}\s*\)/g;

/** Leaves the parser's errors out of the scripts. Nothing handles them, and every browser would fetch their texts. */
export const noParseErrors: Plugin = {
  name: 'no-parse-errors',
  applyToEnvironment: ({ config }) => config.consumer === 'client',
  transform: {
    filter: { id: '**/eventsource-parser/dist/index.js' },
    handler: (code) => code.replaceAll(parseError, 'undefined'),
  },
};
