import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { paths } from '../../../bff/contract/paths.ts';
import { headersOf, openTickets } from '../load/bff-customer.ts';
import { startBuiltBff } from '../servers/built-bff.ts';
import { figure, type Figure, type Plot, type Section, summarize } from '../report/figure.ts';
import { numberOf, runPrinted } from '../probes/run-printed.ts';
import { startSlimService } from '../servers/slim-service.ts';
import type { BenchOptions } from './section.ts';

const warmUps = 30;

/** A quantity that grows, and the time of a look-up at each size: rounds of medians, in milliseconds. */
interface Series {
  table: string;
  /** The name of the growing quantity. */
  x: string;
  lookups: Record<string, Map<number, number[]>>;
  unit?: string;
}

/** The median time of this many sequential requests, in milliseconds. */
async function waitFor(url: string, headers: Record<string, string>, requests: number): Promise<number> {
  const took: number[] = [];
  for (let n = 0; n < requests; n += 1) {
    const begun = performance.now();
    const answer = await fetch(url, { headers });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${url} was answered ${answer.status}`);
    took.push(performance.now() - begun);
  }
  return summarize(took).median;
}

/** Measures all sizes in turn, round by round. */
async function measure(
  sizes: ReadonlyMap<number, { url: string; headers: Record<string, string> }>,
  { rounds, requests }: { rounds: number; requests: number },
): Promise<Map<number, number[]>> {
  const took = new Map<number, number[]>([...sizes.keys()].map((size) => [size, []]));
  for (const { url, headers } of sizes.values()) await waitFor(url, headers, warmUps);
  for (let round = 0; round < rounds; round += 1)
    for (const [size, { url, headers }] of sizes) took.get(size)!.push(await waitFor(url, headers, requests));
  return took;
}

function figuresOf({ table, lookups, unit = 'ms' }: Series): Figure[] {
  return Object.entries(lookups).flatMap(([name, bySize]) => {
    const [[least, base], ...more] = [...bySize] as [[number, number[]], ...[number, number[]][]];
    return more.map(([size, of]) =>
      figure({
        table,
        what: `${name}, with ${size.toLocaleString('en-US')}`,
        unit,
        of,
        beside: { [`with ${least.toLocaleString('en-US')}`]: base },
      }),
    );
  });
}

const plotOf = ({ table, x, lookups }: Series, name: string): Plot => ({
  name,
  title: `${table}: milliseconds a request`,
  x: { name: x, isLog: true },
  y: { name: 'ms' },
  series: Object.entries(lookups).map(([lookup, bySize]) => ({
    name: lookup,
    points: [...bySize].map(([size, of]) => [size, Math.round(summarize(of).median * 100) / 100]),
  })),
});

/** The row counts of small and large sites in the store of the BFF. */
async function benchRows(isQuick: boolean): Promise<Series[]> {
  const sizes = isQuick ? [100, 10_000] : [100, 1_000, 10_000, 100_000, 1_000_000];
  // The pause of housekeeping is not taken from here, so it is not waited for.
  const env = { HOUSEKEEPING_MS: '2000' };
  const columns = new Map<string, Map<number, number[]>>();
  for (let round = 0; round < (isQuick ? 1 : 3); round += 1) {
    const rows = await runPrinted('e2e/bench/commands/growth.ts', sizes.map(String), env);
    for (const size of sizes) {
      const cells = rows.find(([first]) => first === String(size))!;
      for (const [name, column] of Object.entries({
        start: 1,
        memory: 2,
        session: -3,
        list: -2,
        conversation: -1,
      })) {
        const bySize = columns.get(name) ?? new Map<number, number[]>();
        columns.set(name, bySize.set(size, [...(bySize.get(size) ?? []), numberOf(cells.at(column))]));
      }
    }
  }
  const of = (...names: string[]) => Object.fromEntries(names.map((name) => [name, columns.get(name)!]));
  return [
    { table: 'Rows in the store', x: 'rows', lookups: of('session', 'list', 'conversation') },
    { table: 'Rows in the store, start', x: 'rows', lookups: of('start') },
    { table: 'Rows in the store, memory', x: 'rows', lookups: of('memory'), unit: 'MB' },
  ];
}

/** Measures the cost of a request while the amount of data grows. */
export async function benchGrowth({ isQuick }: BenchOptions): Promise<Section> {
  const pace = isQuick ? { rounds: 3, requests: 50 } : { rounds: 7, requests: 200 };
  const service = await startSlimService();
  const dir = await mkdtemp(join(tmpdir(), 'deskside-bench-'));
  const bff = await startBuiltBff(service.url, dir);
  try {
    const customers = new Map<number, { id: string; headers: Record<string, string> }>();
    for (const count of [1, 20, 200]) {
      const customer = await openTickets(bff.url, count);
      customers.set(count, { id: customer.id, headers: headersOf(customer) });
    }
    const threads = new Map<number, { id: string; headers: Record<string, string> }>();
    for (const count of [1, 20, 200, 2_000]) {
      const customer = await openTickets(bff.url, 1);
      for (let n = 0; n < count; n += 1) service.addAnswer(customer.id, `Answer ${n}, with some words more.`);
      threads.set(count, { id: customer.id, headers: headersOf(customer) });
    }
    const at = (of: typeof customers, pathOf: (id: string) => string) =>
      measure(
        new Map([...of].map(([size, { id, headers }]) => [size, { url: bff.url + pathOf(id), headers }])),
        pace,
      );
    const tickets: Series = {
      table: 'Tickets of one customer',
      x: 'tickets',
      lookups: {
        list: await at(customers, () => paths.tickets),
        session: await at(customers, () => paths.session),
        conversation: await at(customers, paths.ticket),
      },
    };
    const messages: Series = {
      table: 'Messages of one conversation',
      x: 'messages',
      lookups: {
        'conversation, whole': await at(threads, paths.ticket),
        'conversation, newest page': await at(threads, (id) => `${paths.ticket(id)}?before=`),
      },
    };
    const [rows, ...others] = await benchRows(isQuick);
    return {
      figures: [tickets, messages, rows!, ...others].flatMap(figuresOf),
      plots: [
        plotOf(tickets, 'growth-tickets'),
        plotOf(messages, 'growth-messages'),
        plotOf(rows!, 'growth-rows'),
      ],
      notes: [
        'Milliseconds of a request, one after the other on one connection; a round is the median of ' +
          `${pace.requests}.`,
      ],
    };
  } finally {
    await bff.stop();
    await service.stop();
    await rm(dir, { recursive: true, force: true });
  }
}
