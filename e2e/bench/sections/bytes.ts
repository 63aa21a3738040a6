import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { paths } from '../../../bff/contract/paths.ts';
import { startBuiltBff } from '../servers/built-bff.ts';
import { startContenders } from '../peers/contenders.ts';
import { figure, type Plot, type Section } from '../report/figure.ts';
import { startSlimService } from '../servers/slim-service.ts';
import { writeTreemap } from '../probes/treemap.ts';

/** Bytes of an answer's body as it is sent to a browser. */
async function sizeOf(url: string): Promise<number> {
  const { body, statusCode, headers } = await request(url, {
    headers: { 'Accept-Encoding': 'br', 'Accept-Language': 'en' },
  });
  const size = (await body.arrayBuffer()).byteLength;
  if (statusCode !== 200 || headers['content-encoding'] !== 'br')
    throw new Error(`${url} was answered ${statusCode}, encoded as ${String(headers['content-encoding'])}`);
  return size;
}

const sum = (values: number[]) => values.reduce((all, value) => all + value, 0);
const sizeOfAll = async (urls: string[]) => sum(await Promise.all(urls.map(sizeOf)));

/** The address of the built script of this name. */
function scriptUrl(bffUrl: string, name: string): string {
  const file = readdirSync('dist/widget/assets').find(
    (each) => each.startsWith(`${name}-`) && each.length === `${name}-12345678.js`.length,
  );
  if (!file) throw new Error(`the build has no script “${name}”`);
  return `${bffUrl}${paths.assets}/${file}`;
}

function momentsPlot(moments: readonly string[], bytes: Record<string, number[]>): Plot {
  return {
    name: 'bytes',
    title: 'Bytes fetched until a moment, brotli',
    x: { name: '', isLog: false, categories: [...moments] },
    y: { name: 'bytes, logarithmic', isLog: true },
    series: Object.entries(bytes).map(([name, sizes]) => ({
      name,
      points: sizes.map((size, n) => [moments[n]!, size]),
    })),
  };
}

/** Measures the bytes that a browser fetches from the built BFF, by file and up to each moment. */
export async function benchBytes(): Promise<Section> {
  const dir = await mkdtemp(join(tmpdir(), 'deskside-bench-'));
  const service = await startSlimService();
  const bff = await startBuiltBff(service.url, dir);
  const { contenders, notes, stop } = await startContenders(bff.url);
  try {
    const files = {
      'widget.js': `${bff.url}/widget.js`,
      'document (English)': `${bff.url}/frame`,
      'app script': scriptUrl(bff.url, 'app'),
      'conversation script': scriptUrl(bff.url, 'conversation'),
      'known script, who has been here': scriptUrl(bff.url, 'known'),
      'its sentences (English)': scriptUrl(bff.url, 'sentences-en'),
      'deferred, languages and rare cases': scriptUrl(bff.url, 'deferred'),
    };
    const sizes = await Promise.all(Object.values(files).map(sizeOf));
    const upTo = (count: number) => sum(sizes.slice(0, count));
    const moments = ['launcher visible', 'can type', 'can send', 'conversation open'] as const;
    const bytes: Record<string, number[]> = { ours: [1, 2, 3, 4].map(upTo) };
    for (const { name, fetched } of contenders.slice(1)) {
      const launcher = await sizeOfAll(fetched.launcher);
      const typing = launcher + (await sizeOfAll(fetched.typing));
      bytes[name] = [launcher, typing, typing];
    }
    const others = Object.entries(bytes).slice(1);
    return {
      notes: [
        ...notes,
        'Bodies over HTTP with `Accept-Encoding: br`, without headers. The form is in the document, so a customer types ' +
          'before any script is there. A row has all that came before it. `bench/treemap.html` shows the modules of the ' +
          'app; `npm run bench -- bytes` writes it.',
      ],
      figures: [
        ...moments.map((what, n) =>
          figure({
            table: 'Up to a moment',
            what,
            unit: 'bytes',
            isExact: true,
            of: [bytes['ours']![n]!],
            beside: Object.fromEntries(
              others.filter(([, at]) => n in at).map(([name, at]) => [name, [at[n]!]]),
            ),
          }),
        ),
        ...Object.keys(files).map((what, n) =>
          figure({ table: 'Files', what, unit: 'bytes', of: [sizes[n]!] }),
        ),
      ],
      plots: [momentsPlot(moments, bytes)],
    };
  } finally {
    await Promise.all([bff.stop(), stop()]);
    await service.stop();
    await rm(dir, { recursive: true, force: true });
    await writeTreemap();
  }
}
