import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';

/**
 * Real websites are made here. Outside the repository, because a site inside it would find the repository's own
 * packages.
 */
const world = join(tmpdir(), 'deskside-world');

/** Newer than the one that runs Deskside, because several starters demand it. */
const nodePackage = 'node@24';

/** A website as its own tool makes it. It can have several hosts, each with a page of its own. */
export interface Project {
  name: string;
  /** The official starter, run by `npx` beside the project's folder. Without one the files follow the tool's docs. */
  starter?: string;
  /** Installed by npm, besides what the starter has installed. */
  packages: string[];
  /** Added to what the starter wrote, by path. A null removes a file of the starter. `bff` is Deskside's address. */
  files: (bff: string) => Record<string, string | null>;
  build?: string;
  /** `{port}` and `{dir}` are filled in. */
  serve: string;
  hosts: Host[];
}

/**
 * A page with a link "Second page" to "The second page", and a button "Open dialog". The modal dialog has a field
 * "Name" and a button "Close dialog".
 */
export interface Host {
  name: string;
  /** Whose version the table shows. */
  version?: string;
  /** How the widget is put in: the heading of the recipe in docs/embedding.md. */
  recipe: string;
  path: string;
  note?: string;
}

export interface Site {
  dir: string;
  origin: string;
  stop: () => Promise<void>;
}

/** What `npm run` has set is about this repository. */
const withoutNpm = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')),
);

interface Started {
  child: ChildProcess;
  /** The end of what it has printed. */
  printed: () => string;
}

function start(command: string, cwd: string): Started {
  const path = ['node_modules/.bin', join(world, 'node/node_modules/node/bin'), process.env['PATH']];
  const child = spawn('sh', ['-c', command], {
    cwd,
    // A group of its own: a starter's server is often the child of a child.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...withoutNpm,
      PATH: path.join(delimiter),
      CI: '1',
      NO_COLOR: '1',
      npm_config_yes: 'true',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      NEXT_TELEMETRY_DISABLED: '1',
      NUXT_TELEMETRY_DISABLED: '1',
      ASTRO_TELEMETRY_DISABLED: '1',
      NG_CLI_ANALYTICS: 'false',
    },
  });
  let printed = '';
  for (const output of [child.stdout, child.stderr])
    output.on('data', (text) => (printed = (printed + String(text)).slice(-4000)));
  return { child, printed: () => printed };
}

/** @throws with the end of what the command has printed */
function run(command: string, cwd: string): Promise<void> {
  const { child, printed } = start(command, cwd);
  return new Promise((done, fail) =>
    child.once('exit', (code) => (code === 0 ? done() : fail(new Error(`${command}\n${printed()}`)))),
  );
}

/** Fetches what is not there yet, once for all runs. A changed description is fetched again. */
async function fetchOnce(name: string, key: string, fetchInto: () => Promise<void>): Promise<string> {
  const dir = join(world, name);
  const stamp = join(world, `${name}.stamp`);
  if ((await readFile(stamp, 'utf8').catch(() => '')) === key) return dir;
  await rm(dir, { recursive: true, force: true });
  await mkdir(world, { recursive: true });
  await fetchInto();
  await writeFile(stamp, key);
  return dir;
}

async function install(dir: string, packages: string[]): Promise<void> {
  await mkdir(dir, { recursive: true });
  await run(`npm install ${packages.map((each) => `'${each}'`).join(' ')}`, dir);
}

/** @throws when the starter or npm fails, for example without a network */
async function scaffold({ name, starter, packages }: Project): Promise<string> {
  await fetchOnce('node', nodePackage, () => install(join(world, 'node'), [nodePackage]));
  return fetchOnce(name, JSON.stringify([starter, packages]), async () => {
    const dir = join(world, name);
    if (starter) await run(`npx ${starter.replace('{name}', name)}`, world);
    else {
      await mkdir(dir);
      await writeFile(join(dir, 'package.json'), JSON.stringify({ name, private: true, type: 'module' }));
    }
    await install(dir, packages);
  });
}

/** As docs/embedding.md says. */
async function installWidget(dir: string): Promise<void> {
  await run(`npm pack '${resolve('widget/npm')}'`, dir);
  await run('npm install --prefer-offline ./deskside-widget-*.tgz', dir);
}

/** @throws when the site cannot be built */
export async function buildSite(project: Project, bff: string): Promise<string> {
  const dir = await scaffold(project);
  await installWidget(dir);
  for (const [path, text] of Object.entries(project.files(bff))) {
    const file = join(dir, path);
    await mkdir(dirname(file), { recursive: true });
    if (text === null) await rm(file, { force: true, recursive: true });
    else await writeFile(file, text);
  }
  if (project.build) await run(project.build, dir);
  return dir;
}

/** @throws when the site does not answer within two minutes */
export async function serveSite(project: Project, dir: string, port: number): Promise<Site> {
  const command = project.serve.replaceAll('{port}', String(port)).replaceAll('{dir}', dir);
  const { child, printed } = start(command, dir);
  const exited = new Promise<void>((done) => child.once('exit', () => done()));
  const origin = `http://localhost:${port}`;
  const site: Site = {
    dir,
    origin,
    async stop() {
      if (child.exitCode === null) process.kill(-child.pid!, 'SIGKILL');
      await exited;
    },
  };
  for (const deadline = performance.now() + 120_000; performance.now() < deadline;) {
    if (child.exitCode !== null) break;
    const answer = await fetch(origin).catch(() => null);
    if (answer && answer.status < 500) return site;
    await new Promise((done) => setTimeout(done, 100));
  }
  await site.stop();
  throw new Error(`${command}\n${printed()}`);
}

/** The version of an installed package. */
export async function versionOf(dir: string, name: string): Promise<string> {
  const file = join(dir, 'node_modules', name, 'package.json');
  return (JSON.parse(await readFile(file, 'utf8')) as { version: string }).version;
}
