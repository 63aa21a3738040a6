const only = require('./only.cjs');

module.exports = [
  // Files of the folder itself start processes and commands, and import none of the programs.
  only('scripts', '^scripts/[^/]+$', '^scripts/[^/]+$'),
  only('scripts-ensure', '^scripts/ensure/', '^scripts/(ensure/|[^/]+$)'),
  // Frame documents have the sentences, and name scripts by the paths under which the BFF serves them.
  only(
    'scripts-build',
    '^scripts/build/',
    '^(scripts/build/|bff/contract/|widget/i18n/|widget/loader/words\\.ts)',
  ),
  only('demo', '^demo/', '^(demo/|scripts/[^/]+$)'),
];
