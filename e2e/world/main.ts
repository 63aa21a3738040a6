import { chromium } from '@playwright/test';
import { buildIfNeeded } from '../../scripts/build-if-needed.ts';
import { freePort } from '../../scripts/processes.ts';
import { signInAgent } from '../support/agent.ts';
import { chromiumLaunch } from '../support/chromium.ts';
import { startStack } from '../support/stack.ts';
import { makeJourney, type Results, stepNames } from './journey.ts';
import { buildSite, type Project, serveSite, versionOf } from './project.ts';
import { projects } from './sites.ts';
import { type Row, writeTable } from './table.ts';

const print = (text: string) => process.stdout.write(`${text}\n`);
const asked = process.argv.slice(2).map((each) => each.toLowerCase());
const isAsked = (name: string) =>
  asked.length === 0 || asked.some((each) => name.toLowerCase().startsWith(each));

/** Those projects and hosts whose names begin with a word of the command line. */
const chosen = projects
  .map((project) => ({
    ...project,
    hosts: isAsked(project.name) ? project.hosts : project.hosts.filter(({ name }) => isAsked(name)),
  }))
  .filter(({ hosts }) => hosts.length > 0);

if (chosen.length === 0) {
  print(
    `No such host. There are: ${projects.flatMap(({ hosts }) => hosts.map(({ name }) => name)).join(', ')}`,
  );
  process.exit(2);
}

await buildIfNeeded();
const ports = await Promise.all(chosen.map(freePort));
const stack = await startStack({}, () => ports.map((port) => `http://localhost:${port}`));
const agent = await signInAgent(stack);
const browser = await chromium.launch(chromiumLaunch);
const date = new Date().toISOString().slice(0, 10);
const rows: Row[] = [];

async function visit(project: Project, port: number): Promise<void> {
  const dir = await buildSite(project, stack.bffUrl);
  const site = await serveSite(project, dir, port);
  try {
    for (const host of project.hosts) {
      const context = await browser.newContext();
      const results = await makeJourney({ context, agent, url: site.origin + host.path });
      await context.close();
      await report(host, results, host.version ? await versionOf(dir, host.version) : '');
    }
  } finally {
    await site.stop();
  }
}

async function report(host: Project['hosts'][number], results: Results, version: string): Promise<void> {
  const failed = stepNames.filter((name) => results[name] !== null);
  print(`${host.name} ${version}: ${failed.length === 0 ? 'ok' : `fails at ${failed.join(', ')}`}`);
  const causes = new Set(failed.map((name) => results[name]!));
  for (const cause of causes) print(cause.replaceAll(/^/gm, '    '));
  const firstLines = failed.map((name) => `${name}: ${results[name]!.split('\n')[0]}`);
  const note = [host.note ?? [], failed.length < stepNames.length ? firstLines : 'cannot be built']
    .flat()
    .join('; ');
  rows.push({ host: host.name, version, recipe: host.recipe, date, results, note });
}

for (const [index, project] of chosen.entries()) {
  print(`${project.name} …`);
  await visit(project, ports[index]!).catch(async (error: Error) => {
    const results = Object.fromEntries(stepNames.map((name) => [name, error.message])) as Results;
    for (const host of project.hosts) await report(host, results, '');
  });
}
await writeTable(
  rows,
  projects.flatMap(({ hosts }) => hosts.map(({ name }) => name)),
);
await browser.close();
await stack.stop();
process.exitCode = rows.some(({ results }) => Object.values(results).some((each) => each !== null)) ? 1 : 0;
