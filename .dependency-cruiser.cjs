/** Imports run one way: each folder names what it may import. See docs/architecture.md. */
const e2e = require('./scripts/import-rules/e2e.cjs');
const only = require('./scripts/import-rules/only.cjs');
const scripts = require('./scripts/import-rules/scripts.cjs');
const service = require('./scripts/import-rules/service.cjs');

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    only('bridge-stands-alone', '^widget/bridge/', '^widget/bridge/'),
    {
      ...only('loader', '^widget/loader/', '^widget/(loader|bridge)/'),
      from: { path: '^widget/loader/', pathNot: '(\\.test\\.tsx?$|/testing/)' },
    },
    {
      // Fetched later: the loader knows it by its address alone.
      ...only('loader-imports-nothing-deferred', '^widget/loader/', '^widget/(?!loader/deferred/)'),
      from: { path: '^widget/loader/', pathNot: '(\\.test\\.tsx?$|/testing/|/deferred/)' },
    },
    only(
      'loader-deferred-panel',
      '^widget/loader/deferred/panel/',
      '^widget/(bridge/|loader/((?!deferred/)|deferred/(panel/|budget\\.ts)))',
    ),
    only(
      'loader-deferred-page',
      '^widget/loader/deferred/page/',
      '^widget/(bridge/|loader/((?!deferred/)|deferred/(page|panel)/))',
    ),
    only('shared-stands-alone', '^shared/', '^shared/'),
    only('app', '^widget/app/', '^(widget/(app|bridge|i18n)|bff/contract|shared)/'),
    only('sentences-stand-alone', '^widget/i18n/', '^(widget/i18n|bff/contract)/'),
    only('app-api', '^widget/app/api/', '^(widget/app/api|bff/contract)/'),
    only('app-i18n', '^widget/app/i18n/', '^(widget/(app/i18n|i18n)|bff/contract)/'),
    {
      ...only('app-browser', '^widget/app/browser/', '^widget/(app/(browser|api)|bridge|i18n)/'),
      to: {
        path: '^(widget|bff)/',
        pathNot: '^widget/(app/(browser|api)|bridge|i18n)/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      // What several features draw with knows none of them.
      name: 'app-ui-knows-no-feature',
      severity: 'error',
      from: { path: '^widget/app/ui/' },
      to: {
        path: '^widget/app/',
        pathNot: '^widget/app/(ui|browser|api|i18n)/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      // A feature may use another's model. Views of several features meet in pages/ and App.tsx.
      name: 'app-feature-uses-no-view-of-another',
      severity: 'error',
      from: { path: '^widget/app/(?!pages/|testing/)([^/]+)/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^widget/app/[^/]+/[^/]+\\.tsx$', pathNot: '^widget/app/($1|ui)/' },
    },
    only('contract-stands-alone', '^bff/contract/', '^(bff/contract|shared)/'),
    only('bff', '^bff/(?!testing/)', '^(bff/|widget/i18n/|shared/)'),
    only(
      'bff-testing',
      '^bff/testing/',
      '^(bff/|scripts/(fake-service|leaks|postgres|mail-server|read-mail)\\.ts)',
    ),
    {
      // Every line goes through `bff/log/log.ts`, which knows what may stand in one.
      name: 'bff-logs-by-codes',
      severity: 'error',
      from: { path: '^bff/(?!log/)' },
      to: { path: 'node_modules/pino/' },
    },
    only('bff-log', '^bff/log/', '^bff/(log|contract/|errors\\.ts|limits/log-lines\\.ts)'),
    only('bff-text', '^bff/text/', '^bff/text/'),
    {
      // The command line stands on top of the server: nothing of the server knows it.
      name: 'bff-cli-is-the-top',
      severity: 'error',
      from: { path: '^bff/', pathNot: '^bff/(cli/|testing/|main\\.ts)' },
      to: { path: '^bff/cli/' },
    },
    only('bff-store', '^bff/store/', '^bff/(store|contract/|errors\\.ts)'),
    only(
      'bff-store-sqlite',
      '^bff/store/sqlite/',
      '^bff/(store/(sqlite/|(migrations|schema-version|dialect)\\.ts)|errors\\.ts)',
    ),
    only('bff-store-postgres', '^bff/store/postgres/', '^bff/store/(postgres/|errors\\.ts)'),
    only(
      'bff-store-statements',
      '^bff/store/statements/',
      '^bff/store/(statements/|(open|schema|dialect|errors)\\.ts)',
    ),
    only('bff-store-records', '^bff/store/records/', '^bff/store/(records/|statements/|(open|schema)\\.ts)'),
    {
      // How each database is connected is known to the store alone.
      name: 'bff-store-hides-its-connections',
      severity: 'error',
      from: { path: '^bff/(?!store/|testing/)', pathNot: '\\.test\\.ts$' },
      to: { path: '^bff/store/(postgres/|sqlite/(commit-groups|group-commit-dialect)\\.ts)' },
    },
    only('bff-v1', '^bff/v1/', '^bff/(v1|log|contract/|tracing/tracer\\.ts|clock\\.ts|errors\\.ts)'),
    only('bff-tracing', '^bff/tracing/', '^bff/(tracing/|version\\.ts)'),
    {
      // Whoever sends no traces does not load it.
      name: 'opentelemetry-is-loaded-when-needed',
      severity: 'error',
      from: { path: '^bff/', pathNot: '(^bff/tracing/open-telemetry|\\.test)\\.ts$' },
      to: { path: '(^bff/tracing/open-telemetry\\.ts$|node_modules/@opentelemetry/)', dynamic: false },
    },
    only('bff-limits', '^bff/limits/', '^bff/(limits|store|contract/|errors\\.ts|config\\.ts)'),
    only('bff-mail', '^bff/mail/', '^(bff/(mail|log|contract/|errors\\.ts)|widget/i18n/|shared/)'),
    only('bff-site', '^bff/site/', '^(bff/(site|contract/)|widget/i18n/)'),
    only(
      'bff-form',
      '^bff/form/',
      '^(bff/(form/|text/|tickets/footer\\.ts|contract/|errors\\.ts)|widget/i18n/)',
    ),
    only(
      'bff-articles',
      '^bff/articles/',
      '^(bff/(articles|store|log|contract/|version\\.ts)|widget/i18n/|shared/)',
    ),
    {
      // Whoever has no articles does not load what reads them.
      name: 'articles-are-read-when-there-are-any',
      severity: 'error',
      from: { path: '^bff/(?!articles/|cli/commands/|testing/)', pathNot: '\\.test\\.ts$' },
      to: {
        path: '^bff/articles/(?!votes\\.ts|bounds\\.ts)',
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    only('bff-identity', '^bff/identity/', '^bff/(identity|session|store|text|contract/|errors\\.ts)'),
    only('bff-session', '^bff/session/', '^bff/(session|store|text|contract/|errors\\.ts)'),
    only(
      'bff-tickets',
      '^bff/tickets/',
      '^(bff/(tickets|session|store|text|v1|contract/|errors\\.ts)|shared/)',
    ),
    only(
      'bff-delivery',
      '^bff/delivery/',
      '^bff/(delivery|tickets|session|store|text|v1|contract/|tracing/tracer\\.ts|clock\\.ts|errors\\.ts|failpoint\\.ts)',
    ),
    only(
      'bff-delivery-ledger',
      '^bff/delivery/ledger/',
      '^bff/(delivery/ledger/|tickets|session|store|text|v1|contract/|tracing/tracer\\.ts|errors\\.ts|failpoint\\.ts)',
    ),
    only(
      'bff-delivery-sending',
      '^bff/delivery/sending/',
      '^bff/(delivery/(sending|ledger)/|tickets|store|text|v1|contract/|tracing/tracer\\.ts|clock\\.ts|errors\\.ts|failpoint\\.ts)',
    ),
    only(
      'bff-delivery-retention',
      '^bff/delivery/retention/',
      '^bff/(delivery/(retention|ledger)|tickets|session|store)/',
    ),
    only(
      'bff-live',
      '^bff/live/',
      '^bff/(live|delivery|tickets|session|store|text|v1|contract/|errors\\.ts)',
    ),
    only(
      'bff-notify',
      '^bff/notify/',
      '^bff/(notify|live|tickets|session|store|mail|v1|contract/|errors\\.ts|failpoint\\.ts)',
    ),
    only('bff-history', '^bff/history/', '^bff/(history|live|tickets|session|store|v1)/'),
    only('bff-instances', '^bff/instances/', '^bff/(instances/|live/|tickets/|store/|testing/|clock\\.ts)'),
    only(
      'bff-use-cases',
      '^bff/use-cases/',
      '^bff/(use-cases|articles|live|delivery|notify|tickets|form|identity|mail|limits|session|contract|errors)(/|\\.ts)',
    ),
    only(
      'bff-metrics',
      '^bff/metrics/',
      '^bff/(metrics|delivery|live|session|store|v1|contract/|version\\.ts|errors\\.ts)',
    ),
    only(
      'bff-http',
      '^bff/http/',
      '^bff/(http|use-cases|limits|log|session|text|tickets/footer|tracing/tracer|contract|errors|store/errors)(/|\\.ts)',
    ),
    only(
      'bff-http-files',
      '^bff/http/files/',
      '^bff/(http/(files/|(answer|context|headers|language)\\.ts)|text/|contract/)',
    ),
    // Nothing between a route and a ticket but what `use-cases` lets through.
    only('bff-routes', '^bff/http/routes/', '^bff/(http/|use-cases/|limits/|contract/|errors\\.ts)'),
    only('npm-stands-alone', '^widget/npm/', '^widget/npm/'),
    only('headless', '^widget/headless/', '^(widget/(headless|app|bridge)|bff/contract|shared)/'),
    only('playground', '^widget/playground/', '^widget/(playground/|npm/deskside\\.d\\.ts)'),
    ...service,
    ...scripts,
    ...e2e,
    {
      name: 'no-zod-in-the-browser',
      severity: 'error',
      from: { path: '^(widget|bff/contract)/', pathNot: '\\.test\\.tsx?$' },
      to: { path: 'node_modules/(zod|hono|undici|kysely|pino)' },
    },
    // `mdast` is a package of types alone.
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^mdast$' } },
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
