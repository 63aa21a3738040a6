import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { paths } from '../../../bff/contract/paths.ts';
import { startAssetServer } from '../servers/asset-server.ts';
import { bundleSentry } from './bundle-sentry.ts';
import { type Contender, ticket } from './contender.ts';
import { peerVersions, unpackPeer } from './fetch-peer.ts';

const ours = (bffUrl: string): Contender => ({
  name: 'ours',
  tag: `<script async src="${bffUrl}/widget.js" data-brand="Acme"></script>`,
  fetched: { launcher: [`${bffUrl}/widget.js`], typing: [`${bffUrl}/frame`] },
  launcher: 'button[aria-haspopup="dialog"]',
  field: '[name=description]',
  filled: ticket,
  send: 'form button[type=submit], form button:not([type])',
  isFramed: true,
  isSend: (request) => request.method() === 'POST' && request.url().endsWith(paths.tickets),
});

const floor = (url: string): Contender => ({
  ...ours(url),
  name: 'floor',
  tag: `<script async src="${url}/floor/widget.js"></script>`,
  fetched: { launcher: [`${url}/floor/widget.js`], typing: [`${url}/floor/form.html`] },
  launcher: '#floor-launcher',
});

const sentry = (url: string): Contender => ({
  name: 'Sentry feedback',
  tag: `<script async src="${url}/sentry.js"></script>`,
  fetched: { launcher: [`${url}/sentry.js`], typing: [] },
  launcher: '.widget__actor',
  field: '[name=message]',
  filled: { '[name=name]': 'Ada', '[name=email]': 'ada@example.com', '[name=message]': 'What now?' },
  send: 'form [type=submit]',
  isFramed: false,
  isSend: (request) =>
    request.url().includes('/envelope/') && (request.postData() ?? '').includes('"type":"feedback"'),
});

/** As its manual says for a page without a build. */
const n8n = (url: string, modules: string[]): Contender => ({
  name: 'n8n chat',
  tag:
    `<link href="${url}/n8n/style.css" rel="stylesheet"><script type="module">` +
    `import { createChat } from '${url}/n8n/chat.bundle.es.js'; createChat({ webhookUrl: '${url}/hook' });</script>`,
  fetched: {
    launcher: ['style.css', ...modules].map((name) => `${url}/n8n/${name}`),
    typing: [],
  },
  launcher: '.chat-window-toggle',
  field: '.chat-inputs textarea',
  filled: { '.chat-inputs textarea': 'What now?' },
  send: '.chat-input-send-button',
  isFramed: false,
  isSend: (request) => request.method() === 'POST' && (request.postData() ?? '').includes('sendMessage'),
});

/** A script, and the scripts that it needs to start. */
async function staticImports(dir: string, entry: string): Promise<string[]> {
  const text = await readFile(join(dir, entry), 'utf8');
  const names = [...text.matchAll(/\bfrom\s*"\.\/([\w.-]+\.m?js)"/g)].map(([, name]) => name!);
  const further = await Promise.all(names.map((name) => staticImports(dir, name)));
  return [...new Set([entry, ...further.flat()])];
}

/** Ours, the floor, and the peers that can be fetched; `notes` says which cannot. */
export async function startContenders(bffUrl: string) {
  const notes: string[] = [];
  const files = new Map<string, Buffer>();
  for (const name of ['widget.js', 'form.html'])
    files.set(`/floor/${name}`, await readFile(join('e2e/bench/floor', name)));
  // The names of the floor's files stay the same over releases, as ours do.
  const assets = await startAssetServer(files, (path) =>
    path.startsWith('/floor/')
      ? 'public, max-age=300, stale-while-revalidate=600'
      : 'public, max-age=31536000, immutable',
  );
  const contenders = [ours(bffUrl), floor(assets.url)];
  const join_ = async (name: string, add: () => Promise<Contender>) => {
    try {
      contenders.push(await add());
    } catch (error) {
      notes.push(`${name} is left out: it could not be fetched (${String(error).split('\n')[0]}).`);
    }
  };
  await join_('Sentry feedback', async () => {
    const { host } = new URL(assets.url);
    files.set('/sentry.js', await bundleSentry(`http://key@${host}/1`));
    return sentry(assets.url);
  });
  await join_('n8n chat', async () => {
    const dist = join(await unpackPeer('@n8n/chat'), 'dist');
    for (const name of (await readdir(dist)).filter((each) => /\.(css|m?js)$/.test(each)))
      files.set(`/n8n/${name}`, await readFile(join(dist, name)));
    return n8n(assets.url, await staticImports(dist, 'chat.bundle.es.js'));
  });
  notes.push(
    '**floor** is `e2e/bench/floor/`: a plain script with a button that opens a frame with a plain form, and nothing else. ' +
      `**Sentry feedback** is \`@sentry/browser\` ${peerVersions['@sentry/browser']} with its feedback integration, bundled ` +
      `as its users do. **n8n chat** is \`@n8n/chat\` ${peerVersions['@n8n/chat']}, embedded as its manual says for a page ` +
      'without a build. Both do other things as well. All three are served compressed with brotli; browsers keep the peers for ' +
      'a year, the floor for five minutes, as ours.',
  );
  return { contenders, notes, stop: assets.stop };
}
