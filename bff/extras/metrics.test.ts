import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { settings } from '../config.ts';
import { type DeclaredMetric, declaredMetrics } from '../testing/metrics.ts';

const rulesFile = 'deploy/prometheus/deskside.rules.yaml';
const rules = readFileSync(rulesFile, 'utf8');
const dashboard = readFileSync('deploy/grafana/deskside.json', 'utf8');
const docs = readFileSync('docs/operating.md', 'utf8').split('\n## Metrics\n')[1]!;
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => found!);

interface Query {
  expr: string;
  /** The labels in its legend or texts. */
  shown: string[];
}

const alerts = rules.split('- alert: ').slice(1);
const ruleQueries: Query[] = alerts.map((alert) => ({
  expr: /expr: ([^]*?)\n +(?:for|labels):/.exec(alert)![1]!,
  shown: all(alert, /\$labels\.(\w+)/g),
}));
const panels = (JSON.parse(dashboard) as { panels: { targets?: { expr: string; legendFormat: string }[] }[] })
  .panels;
const panelQueries: Query[] = panels.flatMap(({ targets = [] }) =>
  targets.map(({ expr, legendFormat }) => ({ expr, shown: all(legendFormat, /\{\{(\w+)\}\}/g) })),
);

let metrics: Map<string, DeclaredMetric>;
beforeAll(async () => {
  metrics = new Map((await declaredMetrics()).map((metric) => [metric.name, metric]));
});

/** Labels that Prometheus adds to every series. */
const ofTarget = ['job', 'instance'];
const metricName = /\b((?:deskside|nodejs|process)_[a-z0-9_]+)/g;
const baseName = (name: string) => (metrics.has(name) ? name : name.replace(/_(bucket|sum|count)$/, ''));

function labelsOf(name: string): string[] {
  const metric = metrics.get(baseName(name));
  if (!metric) return [];
  return [...ofTarget, ...metric.labelNames, ...(name.endsWith('_bucket') ? ['le'] : [])];
}

/** The names in a query that are not those of a metric or its labels. */
function unknownIn({ expr, shown }: Query): string[] {
  const names = all(expr, metricName);
  const known = new Set(names.flatMap(labelsOf));
  const selected = [...expr.matchAll(/(\w+)\{([^}]*)\}/g)].flatMap(([, name, inside]) =>
    all(inside!, /(\w+) *(?:=~|!~|!=|=)/g).filter(
      (label) => name !== 'up' && !labelsOf(name!).includes(label),
    ),
  );
  const grouped = all(expr, /\b(?:by|on|without) *\(([^)]*)\)/g).flatMap((list) => list.split(/, */));
  return [
    ...names.filter((name) => !metrics.has(baseName(name))),
    ...selected,
    ...[...grouped, ...shown].filter((label) => !known.has(label)),
  ];
}

describe.each([
  ['the alerts', ruleQueries],
  ['the dashboard', panelQueries],
])('%s', (_, queries) => {
  it('use only declared metrics and their labels', () => {
    expect(queries.length).toBeGreaterThan(10);
    expect(queries.filter((query) => unknownIn(query).length > 0)).toEqual([]);
  });
});

it('a query for an unknown metric or label is found', () => {
  const of = (expr: string, shown: string[] = []) => unknownIn({ expr, shown });
  expect(of('deskside_nothing_total')).toEqual(['deskside_nothing_total']);
  expect(of('deskside_operations{status="done"}')).toEqual(['status']);
  expect(of('sum by (call) (rate(deskside_gate_refusals_total[5m]))')).toEqual(['call']);
  expect(of('deskside_store_writable', ['file'])).toEqual(['file']);
});

it('every alert says what is wrong and what to do, and names only metrics and settings that exist', () => {
  for (const alert of alerts) expect(alert).toMatch(/summary: [^]+description: >-\n[^]{60}/);
  expect(all(rules, metricName).filter((name) => !metrics.has(baseName(name)))).toEqual([]);
  const named = all(rules, /\b([A-Z]+_[A-Z_]+)\b/g);
  const known = new Set(settings.map(({ name }) => name));
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

it('the dashboard takes its data source from a variable and gives each panel a unit', () => {
  const { templating } = JSON.parse(dashboard) as { templating: { list: { type: string }[] } };
  expect(templating.list[0]!.type).toBe('datasource');
  expect(all(dashboard, /"uid": "([^"]+)"/g).filter((uid) => uid !== 'deskside')).toContain('${datasource}');
  expect(all(dashboard, /"type": "(stat|timeseries)"/g)).toHaveLength(
    all(dashboard, /"unit": "(\w+)"/g).length,
  );
});

it('docs/operating.md has every metric of ours with its labels, and no other', () => {
  const own = [...metrics.values()].filter(({ name }) => name.startsWith('deskside_'));
  const expected = own.map(({ name, labelNames }) =>
    labelNames.length > 0 ? `${name}{${labelNames.join(',')}}` : name,
  );
  // Declared only with PostgreSQL.
  expected.push('deskside_instances_listening');
  const list = /^- [^]*?\n\n/m.exec(docs)![0];
  expect(all(list, /`(deskside_[\w{},]+)`/g).toSorted()).toEqual(expected.toSorted());
});
