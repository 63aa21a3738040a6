import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { paths } from '../../../bff/contract/paths.ts';
import { buildIfNeeded } from '../../../scripts/build-if-needed.ts';
import { freePort, type Running, startNode, untilUp } from '../../../scripts/processes.ts';
import { customerHeaders, openTickets } from '../load/bff-customer.ts';
import { fillStore, rowsOfCustomer } from '../load/fill-store.ts';
import { startBuiltBff } from '../servers/built-bff.ts';
import { startSlimService } from '../servers/slim-service.ts';

const asks = 200;
const scrapes = 5;
/** The first housekeeping begins with the process. */
const housekeepingMs = Number(process.env['HOUSEKEEPING_MS'] ?? 20_000);

type Bff = Awaited<ReturnType<typeof startBuiltBff>>;

/** The durations of this many sequential requests in milliseconds, sorted. */
async function time(count: number, url: string, more: Record<string, string> = {}): Promise<number[]> {
  const took: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const begun = performance.now();
    const answer = await fetch(url, { headers: { ...customerHeaders, ...more } });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
    took.push(performance.now() - begun);
  }
  return took.toSorted((a, b) => a - b);
}

const median = (values: number[]) => values[Math.floor(values.length / 2)]!;

async function residentMb({ child }: Bff): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)![1]) / 1024;
}

/** The longest pause of the process since the last call, in milliseconds. */
async function longestPause({ child }: Pick<Running, 'child'>, file: string): Promise<number> {
  child.kill('SIGUSR2');
  await sleep(200);
  return Number((await readFile(file, 'utf8')).trim().split('\n').at(-1));
}

/** A bare node:http server without requests: its pauses are the machine's own. */
async function startBare(pausesFile: string): Promise<Running> {
  const port = await freePort();
  const running = startNode('e2e/bench/servers/bare-streams.ts', {
    PORT: String(port),
    PAUSES_FILE: pausesFile,
    NODE_OPTIONS: '--import=tsx --import=./e2e/bench/probes/pauses.mjs',
  });
  await untilUp(`http://127.0.0.1:${port}/processor`, running);
  return running;
}

async function measure(rows: number): Promise<string[]> {
  const service = await startSlimService();
  const dir = await mkdtemp(join(tmpdir(), 'deskside-bench-'));
  const pauses = join(dir, 'pauses');
  const barePauses = join(dir, 'bare-pauses');
  const bare = await startBare(barePauses);
  let bff = await startBuiltBff(service.url, dir);
  try {
    const { cookie, id } = await openTickets(bff.url, 1);
    await bff.stop();
    fillStore(dir, rows / rowsOfCustomer);
    bff = await startBuiltBff(service.url, dir);
    await sleep(2_000);
    const idleMb = await residentMb(bff);
    await bff.stop();
    bff = await startBuiltBff(service.url, dir, {
      PAUSES_FILE: pauses,
      NODE_OPTIONS: '--import=./e2e/bench/probes/pauses.mjs',
    });
    const { readyMs } = bff;
    await Promise.all([longestPause(bff, pauses), longestPause(bare, barePauses)]);
    await sleep(housekeepingMs);
    const [housekeeping, meanwhile] = await Promise.all([
      longestPause(bff, pauses),
      longestPause(bare, barePauses),
    ]);
    const metrics = await time(scrapes, `${bff.adminUrl}/metrics`);
    const scraping = await longestPause(bff, pauses);
    const of = (path: string) => time(asks, bff.url + path, { Cookie: cookie });
    const looks = [
      median(await of(paths.session)),
      median(await of(paths.tickets)),
      median(await of(`${paths.tickets}/${id}`)),
    ];
    return [
      String(rows),
      `${readyMs.toFixed(0)} ms`,
      `${idleMb.toFixed(0)} MB`,
      ...[housekeeping, meanwhile, scraping, metrics.at(-1)!].map((ms) => `${ms.toFixed(0)} ms`),
      ...looks.map((ms) => `${ms.toFixed(2)} ms`),
    ];
  } finally {
    await Promise.all([bff.stop(), bare.stop()]);
    await service.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

/** Prints how the figures change while the store grows, without a verdict. Arguments: numbers of rows. */
async function main(): Promise<void> {
  await buildIfNeeded();
  const print = (cells: string[]) =>
    process.stdout.write(`${cells.map((cell) => cell.padStart(13)).join('')}\n`);
  print(['', '', '', 'longest', 'pause in', '', 'a scrape', 'median of', 'a request', '']);
  print([
    'rows',
    'ready',
    'resident',
    'housekeeping',
    'bare server',
    'scrapes',
    'at most',
    'session',
    'list',
    'conversation',
  ]);
  const sizes = process.argv.slice(2).map(Number);
  for (const rows of sizes.length > 0 ? sizes : [100, 1_000, 10_000, 100_000, 1_000_000])
    print(await measure(rows));
}

await main();
