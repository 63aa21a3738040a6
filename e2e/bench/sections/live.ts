import { figure, type Figure, type Section } from '../report/figure.ts';
import { numberOf, runPrinted } from '../run-printed.ts';
import type { BenchOptions } from './section.ts';

/** From an agent's answer to the customers' streams, with the webhook beside without it. */
async function benchAnswers(onScreen: string[]): Promise<Figure[]> {
  const rows = await runPrinted('e2e/bench/live.ts', onScreen);
  return onScreen.flatMap((count) => {
    const of = (webhook: string) => rows.find(([size, word]) => size === count && word === webhook)!;
    const [hinted, polled] = [of('yes'), of('no')];
    const compared = (what: string, unit: string, column: number) =>
      figure({
        table: `${count} conversations on screen, with the webhook`,
        what,
        unit,
        of: [numberOf(hinted[column])],
        beside: { 'without it': [numberOf(polled[column])] },
      });
    return [
      compared('answer to its stream, median', 's', 3),
      compared('answer to its stream, 99th percentile', 's', 5),
      compared('answers that were not heard in a minute', '', 7),
      compared('reads of the service a second', '1/s', 8),
    ];
  });
}

/** One answer to many streams, beside a bare server that writes it to as many. */
async function benchStreams(count: string): Promise<Figure[]> {
  const rows = await runPrinted('e2e/bench/streams.ts', [count]);
  const bare = rows.find(([what]) => what === 'bare node:http')!;
  const columns = [
    { what: 'answer to the last stream', unit: 'ms' },
    { what: 'processor time of an answer', unit: 'ms' },
    { what: 'longest wait of other requests meanwhile', unit: 'ms' },
    { what: 'memory of a stream', unit: 'kB' },
    { what: 'memory of a stream, after answers', unit: 'kB' },
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
      ...(await benchAnswers(isQuick ? ['20'] : ['100', '500'])),
      ...(await benchStreams(isQuick ? '500' : '4900')),
    ],
    plots: [],
    notes: [
      'Without the webhook the service is asked in turns, so the wait is its pace ([docs/live.md](../docs/live.md)). The bare ' +
        'server is `node:http` and writes the same event to every stream, without compression or customers. Its figures ' +
        'and those of the streams are medians of five answers.',
    ],
  };
}
