/** Counts files and lines of each part, import rules, and words of the docs: `npm run count`. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const tracked = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate'],
  {
    encoding: 'utf8',
  },
)
  .trim()
  .split('\n');
const isCode = (path: string): boolean => /\.([cm]?[jt]sx?|css|sql)$/.test(path);
const isTest = (path: string): boolean => /\.(test|test-d|spec)\.tsx?$/.test(path);
const isHelper = (path: string): boolean => /\/(testing\/|test-)/.test(path);
const text = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // deleted, and not committed yet
  }
};
const lines = (paths: string[]): number =>
  paths.reduce((sum, path) => sum + text(path).split('\n').length - 1, 0);
const words = (paths: string[]): number =>
  paths.reduce((sum, path) => sum + text(path).split(/\s+/).filter(Boolean).length, 0);

function row(name: string, files: number | '', count: number, unit: string): void {
  console.log(
    `${name.padEnd(28)}${String(files).padStart(6)}${count.toLocaleString('en').padStart(9)} ${unit}`,
  );
}

const code = tracked.filter(isCode);
const own = code.filter((path) => !isTest(path) && !isHelper(path));
const folders = [...new Set(own.map((path) => /^bff\/((core|extras)\/)?[^/]+\//.exec(path)?.[0]))].filter(
  (folder) => folder !== undefined,
);
for (const part of [
  'bff/',
  'bff/core/',
  'bff/extras/',
  ...folders.toSorted(),
  'widget/app/',
  'widget/loader/',
  'widget/',
  'service/',
  'shared/',
]) {
  const paths = own.filter((path) => path.startsWith(part));
  row(part, paths.length, lines(paths), 'lines');
}
const e2e = code.filter((path) => path.startsWith('e2e/') && !isTest(path));
for (const part of [...new Set(e2e.map((path) => /^e2e\/[^/]+\//.exec(path)?.[0] ?? 'e2e/*'))].toSorted()) {
  const paths = e2e.filter(
    (path) => path.startsWith(part) || (part === 'e2e/*' && path.split('/').length === 2),
  );
  row(`${part} tools`, paths.length, lines(paths), 'lines');
}
row('e2e/ tools in all', e2e.length, lines(e2e), 'lines');
const scripts = own.filter((path) => path.startsWith('scripts/'));
row('scripts/', scripts.length, lines(scripts), 'lines');
const helpers = code.filter((path) => isHelper(path) && !isTest(path));
row('test helpers', helpers.length, lines(helpers), 'lines');
const tests = code.filter(isTest);
row('tests', tests.length, lines(tests), 'lines');
const { forbidden } = createRequire(import.meta.url)('../.dependency-cruiser.cjs') as {
  forbidden: unknown[];
};
row('import rules', '', forbidden.length, 'rules');
const docs = tracked.filter((path) => /^(docs\/.*|README|CONTRIBUTING)\.md$/.test(path));
row('docs', docs.length, words(docs), 'words');
