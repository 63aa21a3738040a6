import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const pages = [
  'README.md',
  'SECURITY.md',
  'service/README.md',
  'widget/npm/README.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];
const read = (file: string) => readFileSync(file, 'utf8');
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => found!);

describe.each(pages)('%s', (page) => {
  it('names only files and folders that exist', () => {
    const named = all(
      read(page),
      /`((?:widget|bff|service|demo|e2e|scripts|docs|npm|playground)\/[\w./-]*)`/g,
    );
    const linked = all(read(page), /\]\((?!https?:)([\w./-]+)\)/g).map((path) => join(page, '..', path));
    expect([...named, ...linked].filter((path) => !existsSync(path))).toEqual([]);
  });

  it('names only commands that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    expect(all(read(page), /npm run ([\w:]+)/g).filter((name) => !(name in scripts))).toEqual([]);
  });
});

it('docs/security.md cites tests that exist', () => {
  const cited = [
    ...read('docs/security.md').matchAll(/`([\w./-]+\.(?:test|spec)\.tsx?)`((?:[^`|]*“[^”]+”)+)/g),
  ];
  expect(cited.length).toBeGreaterThan(30);
  const missing = cited.flatMap(([, file, names]) => {
    const tests = read(file!).replaceAll("\\'", "'").replace(/\s+/g, ' ');
    return all(names!, /“([^”]+)”/g)
      .map((name) => name.replace(/\s+/g, ' '))
      .filter((name) => name.split('…').some((part) => !tests.includes(part.trim())))
      .map((name) => `${file}: ${name}`);
  });
  expect(missing).toEqual([]);
});

it('the README has a line for every setting of the BFF, and for no other', () => {
  const settings = new Set(all(read('bff/config.ts'), /^ {4}([A-Z][A-Z_]+):/gm));
  const table = read('README.md').split('## Run the BFF')[1]!.split('\n## ')[0]!;
  const rows = all(table, /^\| (`[^|]+`) +\|/gm).flatMap((cell) => all(cell, /`([A-Z_]+)`/g));
  expect(settings.size).toBeGreaterThan(10);
  expect(rows.toSorted()).toEqual([...settings].toSorted());
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
