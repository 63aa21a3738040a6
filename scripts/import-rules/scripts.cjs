const only = require('./only.cjs');

module.exports = [
  // What starts processes and commands, in the folder itself, knows none of the programs.
  only('scripts', '^scripts/[^/]+$', '^scripts/[^/]+$'),
  only('scripts-ensure', '^scripts/ensure/', '^scripts/(ensure/|[^/]+$)'),
  // Frame documents stand on the languages; their scripts have the addresses by which the BFF serves them.
  only(
    'scripts-build',
    '^scripts/build/',
    '^(scripts/build/|bff/contract/|widget/i18n/|widget/loader/words\\.ts)',
  ),
  only('demo', '^demo/', '^(demo/|scripts/[^/]+$)'),
];
