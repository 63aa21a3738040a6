import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test as base } from '../support/fixtures.ts';
import { Widget } from '../support/pages/widget.ts';
import { startStack } from '../support/stack.ts';

const run = promisify(execFile);
const nonce = 'bm9uY2U';

/** A site's folder with the package in it, as the registry would give it. */
async function installPackage(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'deskside-site-'));
  const { stdout } = await run('npm', ['pack', resolve('widget/npm'), '--json'], { cwd: dir });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  await writeFile(join(dir, 'package.json'), JSON.stringify({ name: 'site', private: true, type: 'module' }));
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${filename}`], { cwd: dir });
  // As a site in React has them.
  await mkdir(join(dir, 'node_modules/@types'));
  await symlink(resolve('node_modules/@types/react'), join(dir, 'node_modules/@types/react'));
  return dir;
}

/** The site: the installed file as it is, on a page with the strictest policy that lets the package work. */
async function startSite(dir: string): Promise<{ origin: string; bffUrl: string; server: Server }> {
  const code = await readFile(join(dir, 'node_modules/@deskside/widget/index.js'), 'utf8');
  const site = { origin: '', bffUrl: '', server: createServer() };
  const page = () => `<!doctype html><html lang="en"><title>A shop</title><link rel="icon" href="data:,">
<body><h1>A shop</h1><script type="module" nonce="${nonce}">
import { deskside, loadDeskside } from '/deskside.js';
Object.assign(window, { deskside, loadDeskside, codes: [], src: '${site.bffUrl}' });
deskside('on', 'error', ({ code }) => codes.push(code));
loadDeskside({ src, brand: 'Kettle & Clay', color: '#b3261e' });
deskside('prefill', { subject: 'Asked before the script came' });
</script>`;
  site.server.on('request', ({ url }, response) => {
    if (url === '/deskside.js') {
      response.setHeader('Content-Type', 'text/javascript').end(code);
      return;
    }
    const policy = [
      `script-src 'nonce-${nonce}' 'strict-dynamic'`,
      `frame-src ${site.bffUrl}`,
      `style-src 'none'`,
      `require-trusted-types-for 'script'`,
      `trusted-types ${url === '/refuses' ? `'none'` : 'deskside'}`,
    ].join('; ');
    response.setHeader('Content-Security-Policy', policy).setHeader('Content-Type', 'text/html').end(page());
  });
  await new Promise<void>((done) => site.server.listen(0, '127.0.0.1', done));
  site.origin = `http://localhost:${(site.server.address() as AddressInfo).port}`;
  return site;
}

interface Fixtures {
  /** The folder that the package was installed in. */
  dir: string;
  shop: string;
}

const test = base.extend<object, Fixtures>({
  dir: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixture's needs from this pattern
    async ({}, use) => {
      const dir = await installPackage();
      await use(dir);
      await rm(dir, { recursive: true });
    },
    { scope: 'worker' },
  ],
  shop: [
    async ({ dir }, use) => {
      const site = await startSite(dir);
      const stack = await startStack({}, () => [site.origin]);
      site.bffUrl = stack.bffUrl;
      await use(site.origin);
      await stack.stop();
      site.server.closeAllConnections();
      site.server.close();
    },
    { scope: 'worker' },
  ],
});

test('the tarball contains the module, its types, its README and its licence', async ({ dir }) => {
  const { stdout } = await run('npm', ['pack', resolve('widget/npm'), '--json', '--dry-run'], { cwd: dir });
  const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
  expect(files.map(({ path }) => path).sort()).toEqual([
    'LICENSE',
    'README.md',
    'client.d.ts',
    'client.js',
    'component.d.ts',
    'component.js',
    'deskside.d.ts',
    'index.d.ts',
    'index.js',
    'package.json',
    'react.d.ts',
    'react.js',
    'vue.d.ts',
    'vue.js',
  ]);
});

test('on a server the module can be imported and called, and does nothing', async ({ dir }) => {
  const code = `
    import { deskside, loadDeskside } from '@deskside/widget';
    const stop = loadDeskside({ src: 'https://support.example.com' })('on', 'unread', () => {});
    stop();
    deskside('open');
    console.log(typeof window + ' ' + ('Deskside' in globalThis));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code], { cwd: dir });
  expect(stdout.trim()).toBe('undefined false');
});

const good = `
import { deskside, loadDeskside, type Settings } from '@deskside/widget';
const settings: Settings = { position: 'left', texts: { send: 'Go' } };
loadDeskside({ src: 'https://support.example.com', ...settings });
deskside('on', 'message-received', ({ ticket_id }) => ticket_id?.length)();
window.Deskside?.('open', { view: 'new' });
document.addEventListener('deskside:unread', ({ detail }) => detail.count + 1);
document.querySelector('deskside-widget')?.remove();
export const found: Promise<{ version: string }> | undefined = deskside('diagnose');`;

const bad = `
import { deskside, loadDeskside } from '@deskside/widget';
deskside('opem');
loadDeskside({ brand: 'Acme' });
deskside('on', 'unread', ({ total }) => total);`;

/** What the documentation shows. */
const examples = async (page: string) =>
  [...(await readFile(page, 'utf8')).matchAll(/```(tsx?)\n([^]*?)```/g)].map(([, kind, code]) => ({
    kind: kind!,
    code: code!,
  }));

for (const moduleResolution of ['bundler', 'nodenext'])
  test(`the types work for a site that compiles with ${moduleResolution}`, async ({ dir }) => {
    const folder = join(dir, moduleResolution);
    await mkdir(folder);
    const shown = [...(await examples('docs/embedding.md')), ...(await examples('widget/npm/README.md'))];
    expect(shown.filter(({ kind }) => kind === 'tsx').length).toBeGreaterThan(1);
    const files = new Map([
      ['bad.ts', bad],
      ['good.ts', good],
      ...shown.map(({ kind, code }, index) => [`example-${index}.${kind}`, code] as const),
    ]);
    for (const [name, code] of files) await writeFile(join(folder, name), code);

    const module = moduleResolution === 'nodenext' ? 'nodenext' : 'esnext';
    const options = [
      '--strict',
      '--noEmit',
      '--jsx',
      'react-jsx',
      '--pretty',
      'false',
      '--skipDefaultLibCheck',
    ];
    const tsc = [resolve('node_modules/@typescript/native/bin/tsc'), ...options];
    const { stdout } = await run(
      process.execPath,
      [...tsc, '--module', module, '--moduleResolution', moduleResolution, ...files.keys()],
      { cwd: folder },
    ).catch((error: { stdout: string }) => error);
    const faults = stdout.split('\n').filter((line) => line.includes('error TS'));
    expect(faults.map((fault) => fault.replace(/\(.*/, ''))).toEqual(['bad.ts', 'bad.ts', 'bad.ts']);
  });

test('under a strict policy with Trusted Types the module loads the widget, with settings and earlier calls', async ({
  page,
  shop,
}) => {
  const violations: string[] = [];
  page.on('console', (message) => message.type() === 'error' && violations.push(message.text()));
  await page.goto(shop);
  const widget = new Widget(page);
  await widget.open();
  await expect(widget.launcher).toHaveCSS('background-color', 'rgb(179, 38, 30)');
  await expect(widget.app.getByText('Kettle & Clay')).toBeVisible();
  await expect(widget.subject).toHaveValue('Asked before the script came');
  expect(violations).toEqual([]);
});

/** What the site's module put on the window. */
interface Site {
  codes: string[];
  deskside: (...call: unknown[]) => unknown;
  loadDeskside: (options: object) => void;
  src: string;
}

test('a widget that is mounted, unmounted and mounted again exists once', async ({ page, shop }) => {
  await page.goto(shop);
  const widget = new Widget(page);
  await widget.launcher.waitFor();
  await page.evaluate(() => {
    const { deskside, loadDeskside, src } = window as unknown as Site;
    deskside('destroy');
    loadDeskside({ src });
    // Before the script has come, as frameworks do it in development.
    deskside('destroy');
    loadDeskside({ src, label: 'Mounted again' });
  });
  await expect(page.getByRole('button', { name: 'Mounted again' })).toBeVisible();
  await expect(page.locator('deskside-root')).toHaveCount(1);
});

test('a policy that refuses the script breaks nothing, and is reported', async ({ page, shop }) => {
  const thrown: string[] = [];
  page.on('pageerror', ({ message }) => thrown.push(message));
  await page.goto(`${shop}/refuses`);
  await expect
    .poll(() => page.evaluate(() => (window as unknown as Site).codes))
    .toEqual(['script_unavailable']);
  expect(thrown).toEqual([]);
});
