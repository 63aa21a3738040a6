import { figure, type Section } from '../report/figure.ts';
import { runPrinted } from '../run-printed.ts';
import type { BenchOptions } from './section.ts';

/** As it prints them: conversations on screen, webhook, answers, seconds, those that nobody heard, reads a second. */
type Row = [
  onScreen: string,
  webhook: string,
  answers: string,
  p50: string,
  mean: string,
  p99: string,
  longest: string,
  unheard: string,
  reads: string,
];

/** From an agent's answer to the customers' streams, with the webhook beside without it. */
export async function benchLive({ isQuick }: BenchOptions): Promise<Section> {
  const rows = (await runPrinted('e2e/bench/live.ts', isQuick ? ['20'] : ['100', '500'])) as Row[];
  const sizes = [...new Set(rows.map(([onScreen]) => onScreen))];
  const figures = sizes.flatMap((size) => {
    const of = (webhook: string) => rows.find(([onScreen, word]) => onScreen === size && word === webhook)!;
    const [hinted, polled] = [of('yes'), of('no')];
    const compared = (what: string, unit: string, column: number) =>
      figure({
        table: `${size} conversations on screen, with the webhook`,
        what,
        unit,
        of: [Number(hinted[column])],
        beside: { 'without it': [Number(polled[column])] },
      });
    return [
      compared('answer to its stream, median', 's', 3),
      compared('answer to its stream, 99th percentile', 's', 5),
      compared('answers that were not heard in a minute', '', 7),
      compared('reads of the service a second', '1/s', 8),
    ];
  });
  return {
    figures,
    plots: [],
    notes: ['Without the webhook the service is asked in turns, so the wait is its pace ([live](../docs/live.md)).'],
  };
}
