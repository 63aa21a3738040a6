import { runAll } from './run.ts';

/** Everything that can be said of the code without running it. */
await runAll([
  ['types', 'tsc', '--noEmit', '-p', '.'],
  ['lint', 'oxlint', '--type-aware', '--deny-warnings', '.'],
  ['format', 'prettier', '--check', '--log-level', 'warn', '.'],
  [
    'rooms',
    'depcruise',
    '--config',
    '.dependency-cruiser.cjs',
    'widget',
    'bff',
    'service',
    'demo',
    'scripts',
    'e2e',
  ],
  ['unused code and dependencies', 'knip'],
  ['build', 'vite', 'build', '--logLevel', 'warn'],
  ['size budgets', 'size-limit'],
]);
