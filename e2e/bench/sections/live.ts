import { figure, type Figure, type Section } from '../report/figure.ts';
import { numberOf, runPrinted } from '../probes/run-printed.ts';
import type { BenchOptions } from './section.ts';

/**
 * The ways in which the BFF notices an answer, as named in `e2e/bench/commands/live.ts`, and what the list is compared
 * with.
 */
const besides = { poll: 'reads of each ticket alone', hint: 'with the webhook' };
/** In seconds, without the webhook, at 2,000 conversations and 20 reads a second. */
const aim = 'under 4';

/** From an agent's answer to the customers' streams. */
async function benchAnswers(onScreen: string[]): Promise<Figure[]> {
  const rows = await runPrinted('e2e/bench/commands/live.ts', onScreen);
  return onScreen.flatMap((count) => {
    const of = (way: string) => rows.find(([size, word]) => size === count && word === way);
    const compared = (what: string, unit: string, column: number, more: { aim?: string } = {}) =>
      figure({
        table: `${count} conversations on screen, without the webhook, the list shows what changes`,
        what,
        unit,
        ...more,
        of: [numberOf(of('list')![column])],
        beside: Object.fromEntries(
          Object.entries(besides).flatMap(([way, name]) => {
            const row = of(way);
            return row ? [[name, [numberOf(row[column])]]] : [];
          }),
        ),
      });
    return [
      compared('answer to its stream, median', 's', 3),
      compared('answer to its stream, 95th percentile', 's', 5, { aim }),
      compared('answers that were not heard', '', 7),
      compared('reads of the service a second', '1/s', 8),
    ];
  });
}

/** Measures one answer to many streams, beside a bare server that writes the answer to as many streams. */
async function benchStreams(count: string): Promise<Figure[]> {
  const rows = await runPrinted('e2e/bench/commands/streams.ts', [count]);
  const bare = rows.find(([what]) => what === 'bare node:http')!;
  const columns = [
    { what: 'answer to the last stream', unit: 'ms' },
    { what: 'processor time of an answer', unit: 'ms' },
    { what: 'wait of other customers meanwhile, 99th percentile', unit: 'ms' },
    { what: 'longest wait of other customers meanwhile', unit: 'ms' },
    { what: 'memory of a stream', unit: 'kB' },
    { what: 'memory of a stream, after answers', unit: 'kB' },
    { what: 'processor while nothing happens but heartbeats', unit: '%' },
    { what: 'processor time to open a stream', unit: 'ms' },
  ];
  return ['of as many customers', 'of one customer'].flatMap((whose) => {
    const row = rows.find(([what]) => what === whose)!;
    return columns.map(({ what, unit }, n) =>
      figure({
        table: `${count} streams of one ticket, ${whose}`,
        what,
        unit,
        of: [numberOf(row[n + 1])],
        beside: { 'bare server': [numberOf(bare[n + 1])] },
      }),
    );
  });
}

export async function benchLive({ isQuick }: BenchOptions): Promise<Section> {
  return {
    figures: [
      ...(await benchAnswers(isQuick ? ['50'] : ['500', '2000', '10000'])),
      ...(await benchStreams(isQuick ? '500' : '5000')),
    ],
    plots: [],
    notes: [
      'Without the webhook the service is asked in turns, 20 a second, so the wait is its pace ([docs/scale.md](../docs/scale.md)). ' +
        '10,000 conversations are those of two processes, which share the 20 reads. The bare server is `node:http` and ' +
        'writes the same event to every stream, without compression or customers. Its figures and those of the streams ' +
        'are medians of five answers.',
    ],
  };
}
