import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { logLines } from '../bff/core/log/sampler.ts';
import { logCodes } from '../bff/core/log/codes.ts';
import { languages } from '../shared/i18n/languages.ts';

const pages = [
  'README.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
  'deploy/README.md',
  'service/README.md',
  'widget/npm/README.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];
const read = (file: string) => readFileSync(file, 'utf8');
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => found!);

/** Links to other files of this repository, or within the page. */
const linksOf = (page: string) =>
  [...read(page).matchAll(/\]\((?!https?:)([\w./-]*)(?:#([\w-]+))?\)/g)].map(([, path, anchor]) => ({
    file: path ? join(page, '..', path) : page,
    anchor,
  }));

/** Anchors as GitHub derives them from headings. */
const anchorsOf = (page: string) =>
  all(read(page).replaceAll(/^```[^]*?^```/gm, ''), /^#+ (.+)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  );

describe.each(pages)('%s', (page) => {
  it('names only files and folders that exist', () => {
    const named = all(
      read(page),
      /`((?:widget|bff|service|shared|demo|e2e|scripts|docs|npm|playground)\/[\w./-]*)`/g,
    );
    const linked = linksOf(page).map(({ file }) => file);
    expect([...named, ...linked].filter((path) => !existsSync(path))).toEqual([]);
  });

  it('names only functions and values that are in the file where it says', () => {
    const places = read(page).matchAll(
      /((?:`\w+`(?:, | and )?)+) (?:in|of) `((?:widget|bff)\/[\w./-]+\.tsx?)`/g,
    );
    const missing = [...places].flatMap(([, names, file]) =>
      all(names!, /`(\w+)`/g)
        .filter((name) => !new RegExp(`\\b${name}\\b`).test(read(file!)))
        .map((name) => `${name} in ${file}`),
    );
    expect(missing).toEqual([]);
  });

  it('links only to headings that exist', () => {
    const missing = linksOf(page).filter(({ file, anchor }) => anchor && !anchorsOf(file).includes(anchor));
    expect(missing).toEqual([]);
  });

  it('names only commands that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    expect(all(read(page), /npm run ([\w:]+)/g).filter((name) => !(name in scripts))).toEqual([]);
  });
});

it('the index of docs/ leads to every page', () => {
  const index = 'docs/README.md';
  const linked = new Set(
    linksOf(index).map(({ file }) => (file.endsWith('.md') ? file : join(file, 'README.md'))),
  );
  expect(pages.filter((page) => page !== index && page !== 'README.md' && !linked.has(page))).toEqual([]);
  expect(linksOf('README.md').map(({ file }) => file)).toContain(index);
});

describe('docs/troubleshooting.md', () => {
  const page = read('docs/troubleshooting.md');
  const english = read('shared/i18n/en.ts');

  it('names only checks that exist', () => {
    const names = new Set(
      [
        ...readdirSync('bff/cli/checks').map((file) => join('bff/cli/checks', file)),
        ...readdirSync('bff/extras').map((name) => join('bff/extras', name, 'checks.ts')),
      ]
        .filter((file) => existsSync(file))
        .flatMap((file) => all(read(file), /^ +(?:name: )?'([\w-]+)',$/gm)),
    );
    const named = all(page, /`((?:configuration|service|store|mail|public|origins)(?:-[\w]+)+)`/g);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((name) => !names.has(name))).toEqual([]);
  });

  it('names only metrics that exist', () => {
    const metrics = all(read('docs/operating.md'), /`(deskside_\w+)/g);
    expect(
      all(page, /`(deskside_\w+)`/g).filter((name) => !metrics.includes(name) && name !== 'deskside_'),
    ).toEqual([]);
  });

  it('names only codes of the log that exist', () => {
    const named = all(page, /log code `(\w+)`(?: or `\w+`)?/g).concat(
      all(page, /log code `\w+` or `(\w+)`/g),
    );
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((code) => !(code in logCodes))).toEqual([]);
  });

  it('quotes only what the widget says', () => {
    const sentences = all(page, /"([A-Z][^"]+)"/g);
    expect(sentences.length).toBeGreaterThan(5);
    expect(sentences.filter((text) => !english.includes(text))).toEqual([]);
  });
});

/** An id such as [isolation-3] is at the end of a test's title, so that docs can cite the test. */
describe('ids of tests', () => {
  const inTests = ['bff', 'widget', 'service', 'shared', 'e2e', 'scripts'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(test|spec)\.tsx?$/.test(name))
      .flatMap((name) => all(read(join(folder, name)), / \[([a-z]+-\d+)\]['"`]/g)),
  );

  it('stand in one title each', () => {
    expect(inTests.filter((id, at) => inTests.indexOf(id) !== at)).toEqual([]);
  });

  it('are all cited in docs, and no others', () => {
    const cited = pages.flatMap((page) => all(read(page), /\[([a-z]+-\d+)\](?!\()/g));
    expect(cited.length).toBeGreaterThan(150);
    expect([...new Set(cited)].toSorted()).toEqual(inTests.toSorted());
  });
});

it('comments name only files that exist', () => {
  const sources = ['bff', 'widget', 'service', 'shared', 'e2e', 'scripts', 'demo'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(tsx?|css)$/.test(name))
      .map((name) => join(folder, name)),
  );
  const named = sources.flatMap((file) =>
    all(read(file), /`((?:widget|bff|service|shared|demo|e2e|scripts|docs)\/[\w./-]+\.\w+)`/g).filter(
      (path) => !existsSync(path),
    ),
  );
  expect(named).toEqual([]);
});

it('docs/languages.md names every language, and one page alone counts them', () => {
  const tags = languages.map(({ tag }) => tag);
  const page = read('docs/languages.md');
  expect(tags.filter((tag) => !page.includes(`\`${tag}\``))).toEqual([]);
  const counts = pages.flatMap((file) => all(read(file), /\b(\d+) languages\b/g));
  expect(counts).toEqual([String(tags.length)]);
});

it('docs/operating.md has a line for every command, and for no other', () => {
  const files = [
    ...readdirSync('bff/cli/commands').map((name) => join('bff/cli/commands', name)),
    ...readdirSync('bff/extras', { recursive: true, encoding: 'utf8' })
      .filter((name) => basename(name) === 'command.ts')
      .map((name) => join('bff/extras', name)),
  ];
  const commands = files.flatMap((file) => all(read(file), /program\s*\.command\('([\w-]+)/g));
  const page = read('docs/operating.md').split('\n## Metrics\n')[0]!;
  const rows = all(page, /^\| `([\w-]+)[^`]*` +\|/gm);
  expect(commands.length).toBeGreaterThan(0);
  expect([...new Set(rows)].toSorted()).toEqual(commands.toSorted());
});

it('docs/operating.md has the limits of lines in the log', () => {
  const section = read('docs/operating.md')
    .split('\n## Log\n')[1]!
    .split('\n## ')[0]!
    .replaceAll(/\s+/g, ' ');
  expect(section).toContain(`at most ${logLines.perCode} lines of one code`);
  expect(section).toContain(`${logLines.perRequestKind} of requests`);
});

it('docs/dependencies.md has a line for every runtime dependency, and for no other', () => {
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };
  const rows = all(read('docs/dependencies.md'), /^- `([^`]+)`:/gm);
  expect(rows.toSorted()).toEqual(Object.keys(dependencies).toSorted());
});

describe('docs/embedding.md', () => {
  const types = read('widget/npm/deskside.d.ts');
  const members = (name: string) =>
    all(types.split(`interface ${name} {`)[1]!.split('\n}')[0]!, /^ {2}'?([\w-]+)'?\??:/gm);
  const sections = read('docs/embedding.md').split('\n## ');
  const table = (title: string) => sections.find((section) => section.startsWith(`${title}\n`))!;
  const firstCells = (title: string) => all(table(title), /^\| `([\w-]+)` +\|/gm);

  it.each(['Settings', 'Commands', 'Events'])('has a line for every name of %s, and for no other', (name) => {
    expect(members(name).length).toBeGreaterThan(5);
    expect(firstCells(name).toSorted()).toEqual(members(name).toSorted());
  });

  it('gives each setting its attribute', () => {
    const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const rows = [...table('Settings').matchAll(/^\| `(\w+)` +\| `(data-[\w-]+)` +\|/gm)];
    expect(rows.length).toBe(members('Settings').length - 1);
    for (const [, name, attribute] of rows) expect(attribute).toBe(`data-${kebab(name!)}`);
  });

  it('calls only commands and events that exist', () => {
    const own = sections.filter((section) => !section.startsWith('Coming from')).join('\n## ');
    const migration = all(table('Coming from another widget'), /\|([^|\n]*)\|$/gm).join('\n');
    const calls = all(own + migration, /(?:\bD|\bd)eskside\('([\w-]+)'/g);
    const heard = all(own + migration, /(?:\bD|\bd)eskside\('on', '([\w-]+)'/g);
    expect(calls.filter((name) => !members('Commands').includes(name))).toEqual([]);
    expect(heard.filter((name) => !members('Events').includes(name))).toEqual([]);
    expect(heard.length).toBeGreaterThan(4);
  });
});
