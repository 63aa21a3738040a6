import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sectionNames } from '../arguments.ts';
import { figure } from './figure.ts';
import { table } from './markdown.ts';
import type { Report } from './report.ts';
import type { Machine } from './machine.ts';
import { readReport, writeReport } from './write.ts';

// Vitest's globals look like a browser's to the plot library, which asks for its name when it is imported.
vi.hoisted(() => vi.stubGlobal('navigator', { userAgent: 'Node.js' }));
afterAll(() => vi.unstubAllGlobals());

const opened = figure({
  table: 'A blank page',
  what: 'click to typing',
  unit: 'ms',
  of: [1200, 1234.5, 1300],
  beside: { floor: [600, 617.25, 650], bare: [0, 0, 0] },
  aim: 'under 2,000',
});
const bytes = figure({ table: 'Bytes', what: 'launcher visible', unit: 'bytes', of: [3021] });

const machine: Machine = {
  cores: 2,
  processor: 'A processor',
  memoryGb: 8,
  node: 'v20.19.0',
  chromium: '140.0',
  startedAt: '2026-01-02T03:04:05.000Z',
  loadBefore: 0.1,
  loadAfter: 1.5,
};
const report: Report = {
  sections: {
    page: {
      machine,
      isQuick: true,
      figures: [opened, bytes],
      plots: [
        {
          name: 'opening',
          title: 'Click to typing',
          x: { name: 'tickets', isLog: true },
          y: { name: 'ms' },
          series: [
            {
              name: 'ours',
              points: [
                [1, 2],
                [100, 3],
              ],
            },
          ],
        },
        {
          name: 'moments',
          title: 'Moments',
          x: { name: '', isLog: false, categories: ['launcher'] },
          y: { name: 'ms' },
          series: [{ name: 'ours', points: [['launcher', 3]] }],
        },
      ],
      notes: ['How it was measured.'],
    },
  },
};

describe('a table', () => {
  it('has a column for each comparison, and the ratio where there is one', () => {
    expect(table([opened]).split('\n').at(-1)).toBe(
      '| click to typing | ms | 1,235 (1,200–1,300) | 617 (600–650); **×2** | 0 | under 2,000 |',
    );
  });

  it('has no column of aims and no spread when the figures have none', () => {
    expect(table([bytes])).toBe(
      '|  | unit | ours |\n| --- | --- | ---: |\n| launcher visible | bytes | 3,021 |',
    );
  });

  it('escapes what would end a cell', () => {
    expect(table([{ ...bytes, what: 'a | b' }])).toContain('| a \\| b |');
  });
});

describe('a written report', () => {
  let dir = '';
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'deskside-report-'));
    await writeReport(dir, report, report.sections['page']!.plots);
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));
  const read = (name: string) => readFile(join(dir, name), 'utf8');

  it('names for each section the machine and its load, and whether the run was quick', async () => {
    const text = await read('report.md');
    expect(text).toContain('2 cores (A processor), 8 GB, Node v20.19.0, Chromium 140.0');
    expect(text).toContain('load average 0.1 before and 1.5 after');
    expect(text).toContain('a quick run');
  });

  it('has every section with its notes and tables, and links to its plots', async () => {
    const text = await read('report.md');
    for (const part of ['## page', 'How it was measured.', '### A blank page', '### Bytes', '(opening.svg)'])
      expect(text).toContain(part);
  });

  it('is read as it was written, and is empty where there is no file', async () => {
    expect(await readReport(dir)).toEqual(report);
    expect(await readReport(join(dir, 'nothing'))).toEqual({ sections: {} });
  });

  it.each([
    ['is broken off', '{ "sections": {', /JSON/],
    ['is no report', '[]', /expected object/],
    [
      'is of an older form',
      '{ "machine": {}, "sections": { "page": { "figures": [] } } }',
      /sections\.page\.machine/,
    ],
  ])('is refused with the name of its file when it %s', async (_, text, why) => {
    await writeFile(join(dir, 'report.json'), text);
    await expect(readReport(dir)).rejects.toMatchObject({
      message: expect.stringContaining(join(dir, 'report.json')),
      cause: { message: expect.stringMatching(why) },
    });
  });

  it('can be read from the file in this repository', async () => {
    const own = fileURLToPath(new URL('../../../bench', import.meta.url));
    const sections = Object.keys((await readReport(own)).sections);
    expect(sections.length).toBeGreaterThan(0);
    expect(sectionNames).toEqual(expect.arrayContaining(sections));
  });

  it('has an SVG document for each plot', async () => {
    expect((await readdir(dir)).toSorted()).toEqual([
      'moments.svg',
      'opening.svg',
      'report.json',
      'report.md',
    ]);
    for (const name of ['opening.svg', 'moments.svg']) {
      expect(await read(name)).toMatch(/^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    }
    expect(await read('opening.svg')).toContain('Click to typing');
  });
});
