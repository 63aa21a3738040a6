const onPostgres = 'bff/{core/store/postgres,extras/cluster}/*.test.ts';
const unit = (
  name: string,
  include: string[],
  // Long enough for a busy machine: only a test that hangs takes longer.
  testTimeout = 90_000,
) => ({
  extends: true as const,
  // A worker loads the modules once for all files, since those of the servers keep no state. The widget's setup file
  // makes it load them again for each file.
  test: {
    name,
    include,
    testTimeout,
    hookTimeout: testTimeout,
    expect: { poll: { timeout: 60_000 } },
    css: true,
    isolate: false,
  },
});
/** Tests that gain nothing from PostgreSQL, though other tests in their folders do: they are not about a store. */
const withoutStore = [
  'delivery/{absence,machine,send,settle,simulation}',
  'identity/{jwks,qr}',
  'limits/{client-address,connections,limits}',
  'live/{newest-tickets,stream-writer,turns,watch,watch-reader,watches}',
  'identity/address',
  'tickets/{footer,present}',
  'use-cases/strangers',
];
/** Tests whose statements other tests run on PostgreSQL, too. */
const withoutOwnStatements = [
  'identity/identity-token',
  'limits/proof',
  'tickets/pages',
  'use-cases/{context,own-data,owner}',
];
/** The tests that use a store, on a PostgreSQL server of their own. */
const postgresTests = unit('postgres', [
  'bff/core/{delivery,identity,tickets,live,use-cases,limits}/**/*.test.ts',
  'bff/core/housekeeping.test.ts',
  'bff/extras/{history,mails,org,ratings}/**/*.test.ts',
  'bff/extras/files/{attach,routes,rows,upload}.test.ts',
  'bff/extras/{articles/votes,form/tickets,statements}.test.ts',
  'bff/core/store/{records/last-use,statements/{reads-together,transaction,writes-together}}.test.ts',
  ...[...withoutStore, ...withoutOwnStatements].map((file) => `!bff/core/${file}.test.ts`),
  '!bff/extras/{mails/{command,many,in/command},ratings/command}.test.ts',
  onPostgres,
]);
const postgres = {
  ...postgresTests,
  test: { ...postgresTests.test, globalSetup: './bff/testing/store/postgres-setup.ts' },
};

const widgetTests = unit('widget', ['widget/**/*.test.{ts,tsx}']);
/** Each file of tests is a page that loads its scripts itself: also these packages, as ES modules. */
const widget = {
  ...widgetTests,
  resolve: { alias: { '@testing-library/dom': '@testing-library/dom/dist/@testing-library/dom.esm.js' } },
  test: {
    ...widgetTests.test,
    setupFiles: './widget/app/testing/page.ts',
    server: { deps: { inline: [/@testing-library|preact/] } },
  },
};

const faultsTests = unit('faults', ['e2e/faults/**/*.test.ts'], 400_000);
const faults = { ...faultsTests, test: { ...faultsTests.test, globalSetup: './e2e/faults/setup.ts' } };

/** The projects of the tests. `package.json` has the commands that run them. */
export const projects = [
  unit('bff', ['bff/**/*.test.ts', `!${onPostgres}`]),
  postgres,
  unit('service', ['service/**/*.test.{ts,tsx}']),
  widget,
  unit('repo', [
    'scripts/**/*.test.ts',
    'shared/**/*.test.ts',
    'demo/**/*.test.ts',
    'e2e/{bench,cluster,screens}/**/*.test.ts',
  ]),
  unit('deploy', ['e2e/{deploy,mail}/**/*.test.ts'], 120_000),
  faults,
];
