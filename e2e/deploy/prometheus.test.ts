import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gateHeader, paths } from '../../shared/contract/paths.ts';
import { type Stack, startStack } from '../support/stack.ts';

const promtool = '/usr/bin/promtool';

const run = async (...args: string[]) => {
  const { stdout, stderr } = await promisify(execFile)(promtool, args);
  return stdout + stderr;
};

interface Dashboard {
  panels: { targets?: { expr: string }[] }[];
}

/** The queries of the dashboard as rules, with its variables filled in: promtool reads no dashboards. */
async function dashboardAsRules(): Promise<string> {
  const { panels } = JSON.parse(await readFile('deploy/grafana/deskside.json', 'utf8')) as Dashboard;
  const rules = panels
    .flatMap(({ targets = [] }) => targets)
    .map(({ expr }, n) => ({
      record: `query_${n}`,
      expr: expr.replaceAll('$__rate_interval', '1m').replace(/\$(job|instance)\b/g, '.*'),
    }));
  return JSON.stringify({ groups: [{ name: 'dashboard', rules }] });
}

/** What `promtool check metrics` finds fault with, one complaint a line. */
async function lint(metrics: string): Promise<string[]> {
  const child = spawn(promtool, ['check', 'metrics'], { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end(metrics);
  const [said] = await Promise.all([text(child.stderr), once(child, 'close')]);
  return said.split('\n').filter(Boolean);
}

describe.runIf(existsSync(promtool))('Prometheus', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack();
  });
  afterAll(() => stack.stop());

  it('reads the metrics of a running server, and reports only names that prom-client sets', async () => {
    const headers = { 'Sec-Fetch-Site': 'same-origin', [gateHeader]: '1' };
    await fetch(stack.bffUrl + paths.session, { headers });
    await fetch(stack.bffUrl + paths.session);
    const metrics = await (await fetch(`${stack.adminUrl}/metrics`)).text();
    expect(metrics).toMatch(/^deskside_build_info\{version="\d+\.\d+\.\d+",node="v\d+/m);
    expect(metrics).toMatch(/^deskside_service_usable 1$/m);
    expect(metrics).toMatch(/^deskside_service_requests_total\{call="probe",outcome="ok"\} \d+$/m);
    expect(metrics).toMatch(/^deskside_store_file_bytes\{file="database"\} [1-9]/m);
    expect(metrics).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
    expect((await lint(metrics)).filter((complaint) => !/^nodejs_active_\w+_total /.test(complaint))).toEqual(
      [],
    );
  });

  it('accepts the example configuration and its rules', async () => {
    const said = await run('check', 'config', 'deploy/prometheus/prometheus.yaml');
    expect(said).toContain('1 rule files found');
    expect(said).toMatch(/SUCCESS: \d+ rules found/);
  });

  it('understands every query of the dashboard', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'deskside-dashboard-'));
    const file = join(dir, 'rules.json');
    await writeFile(file, await dashboardAsRules());
    expect(await run('check', 'rules', file)).toMatch(/SUCCESS: [3-9]\d rules found/);
    await rm(dir, { recursive: true });
  });

  it('fires the alerts that the tests of the rules expect', async () => {
    expect(await run('test', 'rules', 'deploy/prometheus/deskside.rules.test.yaml')).toContain('SUCCESS');
  });
});
