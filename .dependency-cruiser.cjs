/** Imports run one way: each room names what it may reach. See docs/rooms.md. */
const only = (name, from, may) => ({
  name,
  severity: 'error',
  from: { path: from, pathNot: '\\.test(-d)?\\.tsx?$' },
  to: { path: '^(widget|bff|service|e2e|demo|scripts)/', pathNot: may },
});

/** What the scripts `rest` and `account` bring. */
const parts =
  '^widget/app/(account/|rest\\.ts|notify\\.tsx|sound\\.ts|api/(stream|proof)\\.ts|i18n/times\\.ts|state/(latest|diagnose|notifications)\\.ts|' +
  'ui/(Claim|Composer|Conversation|Gradual|Groups?|Message|MessageGroup|Notice|Offers|Preview|Spoken|Start|Steady|Thread|TicketList|Transfer|Ways|group|links|pieces|times)\\.tsx?$)';

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
      ...only('loader-imports-nothing-deferred', '^widget/loader/', '^widget/(?!loader/deferred)'),
      from: { path: '^widget/loader/', pathNot: '(\\.test\\.tsx?$|/testing/|/deferred/)' },
    },
    only('app', '^widget/app/', '^(widget/(app|bridge)|bff/contract)/'),
    only('app-api', '^widget/app/api/', '^(widget/app/api|bff/contract)/'),
    only(
      'app-state-knows-no-view',
      '^widget/app/state/',
      '^(widget/(app/(api|state|storage)|bridge)|bff/contract)/?',
    ),
    {
      // They would stand in the document then, besides.
      name: 'app-document-imports-no-part',
      severity: 'error',
      from: { path: '^widget/app/', pathNot: `\\.test\\.tsx?$|^widget/app/testing/|${parts}` },
      to: {
        path: parts,
        dependencyTypesNot: ['type-only'],
      },
    },
    only('contract-stands-alone', '^bff/contract/', '^bff/contract/'),
    only('bff', '^bff/', '^bff/'),
    only('bff-text', '^bff/text/', '^bff/text/'),
    only('bff-store', '^bff/store/', '^bff/(store|contract/|errors\\.ts)'),
    only('bff-v1', '^bff/v1/', '^bff/(v1|contract/|clock\\.ts|errors\\.ts)'),
    only('bff-limits', '^bff/limits/', '^bff/(limits|store|contract/|errors\\.ts|config\\.ts)'),
    only('bff-mail', '^bff/mail/', '^bff/(mail|contract/|errors\\.ts)'),
    only('bff-identity', '^bff/identity/', '^bff/(identity|session|store|text|contract/|errors\\.ts)'),
    only('bff-session', '^bff/session/', '^bff/(session|store|text|contract/|errors\\.ts)'),
    only('bff-tickets', '^bff/tickets/', '^bff/(tickets|session|store|text|v1|contract/|errors\\.ts)'),
    only(
      'bff-delivery',
      '^bff/delivery/',
      '^bff/(delivery|tickets|session|store|text|v1|contract/|clock\\.ts|errors\\.ts|failpoint\\.ts)',
    ),
    only(
      'bff-live',
      '^bff/live/',
      '^bff/(live|delivery|tickets|session|store|text|v1|contract/|errors\\.ts)',
    ),
    only(
      'bff-access',
      '^bff/access/',
      '^bff/(access|live|delivery|tickets|identity|mail|limits|session|contract|errors)(/|\\.ts)',
    ),
    only(
      'bff-http',
      '^bff/http/',
      '^bff/(http|access|limits|session|text|tickets/footer|contract|errors)(/|\\.ts)',
    ),
    // Nothing between a route and a ticket but what `access` lets through.
    only('bff-routes', '^bff/http/routes/', '^bff/(http/|access/|limits/|contract/|errors\\.ts)'),
    only('npm-stands-alone', '^widget/npm/', '^widget/npm/'),
    only('playground', '^widget/playground/', '^widget/(playground/|npm/deskside\\.d\\.ts)'),
    only('service', '^service/', '^(service/|bff/v1/schema\\.ts)'),
    only('journeys-see-public-surfaces', '^e2e/', '^(e2e|bff/contract|scripts)/'),
    only('faults-stand-alone', '^e2e/faults/', '^(e2e/faults|bff/contract|scripts)/'),
    {
      name: 'no-zod-in-the-browser',
      severity: 'error',
      from: { path: '^(widget|bff/contract)/', pathNot: '\\.test\\.tsx?$' },
      to: { path: 'node_modules/(zod|hono|undici|kysely|pino)' },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
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
