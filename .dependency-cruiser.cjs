/**
 * Imports run one way. `parts` says what each part of the repository may import besides itself. `layers` lists folders of
 * a part from the bottom to the top: a folder imports its own layer and those below. See docs/architecture.md.
 */
const parts = {
  shared: '',
  widget: 'shared',
  bff: 'shared',
  service: 'shared',
  'e2e|demo|scripts': 'shared|widget',
};

const layers = {
  bff: ['core', 'extras', 'cli'],
  'bff/core': [
    'text|log|limits|store|v1|site',
    'identity|tickets',
    'delivery|live',
    'use-cases',
    'http|metrics',
  ],
  widget: ['bridge', 'loader|app|headless|npm|playground'],
  service: ['db|agents|files|keys|tickets|webhooks', 'api|desk'],
};

const tests = '\\.test(-d)?\\.tsx?$|/testing/|/test-';
const rule = (name, from, to) => ({ name, severity: 'error', from: { pathNot: tests, ...from }, to });

module.exports = {
  forbidden: [
    rule('no-cycles', {}, { circular: true }),
    ...Object.entries(parts).map(([part, may]) =>
      rule(
        `part-${part}`,
        { path: `^(${part})/` },
        {
          path: `^(${Object.keys(parts).join('|')})/`,
          pathNot: `^(${[part, may].filter(Boolean).join('|')})/`,
        },
      ),
    ),
    ...Object.entries(layers).flatMap(([part, list]) =>
      list.slice(0, -1).map((folders, layer) => {
        const above = list.slice(layer + 1).join('|');
        return rule(
          `layer-${layer}-of-${part}`,
          { path: `^${part}/(${folders})/` },
          { path: `^${part}/(${above})/` },
        );
      }),
    ),
    // Nothing between a route and a ticket but what `use-cases/` lets through.
    rule(
      'routes-reach-tickets-through-use-cases',
      { path: '^bff/core/http/routes/' },
      { path: '^bff/core/(store|v1|identity|tickets|delivery|live)/' },
    ),
    // An extra can be removed: only the list of extras, and tests of all together, know its files.
    rule(
      'extra-knows-no-other',
      { path: '^bff/extras/([^/]+)/' },
      { path: '^bff/extras/[^/]+/', pathNot: '^bff/extras/$1/' },
    ),
    rule(
      'extra-is-known-by-the-list',
      { path: '^bff/', pathNot: `^bff/extras/|${tests}` },
      { path: '^bff/extras/[^/]+/' },
    ),
    // The loader runs in the host page, the app in the frame. They meet in `bridge/`.
    rule('loader-knows-no-app', { path: '^widget/loader/' }, { path: '^widget/(app|headless)/' }),
    // A feature may use another's model, and fetch its script. Views of several features meet in the app itself.
    rule(
      'app-feature-uses-no-view-of-another',
      { path: '^widget/app/([^/]+)/' },
      { path: '^widget/app/[^/]+/[^/]+\\.tsx$', pathNot: '^widget/app/($1|ui)/', dynamic: false },
    ),
    rule(
      'no-server-packages-in-the-browser',
      { path: '^(widget|shared/contract)/' },
      { path: 'node_modules/(zod|hono|undici|kysely|pino)' },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
