import type { Figure } from './figure.ts';
import type { Report } from './report.ts';

/** A smaller difference is no regression, even if no rounds of the two runs overlap. */
const toleratedShare = 0.05;

export interface Difference {
  what: string;
  /** Ours divided by theirs, in each run's own rounds. */
  before: number;
  after: number;
}

export interface Comparison {
  compared: number;
  worse: Difference[];
  better: Difference[];
  /** In the first report alone. */
  missing: string[];
}

type Ratio = NonNullable<Figure['beside'][number]['ratio']>;

/** Every ratio of a report by its name, inverted where needed so that a higher value is worse. */
function ratiosOf({ sections }: Report): Map<string, { shown: Ratio; cost: Ratio }> {
  const ratios = new Map<string, { shown: Ratio; cost: Ratio }>();
  for (const [section, { figures }] of Object.entries(sections))
    for (const { table, what, better, beside, rounds, isExact } of figures) {
      // The spread of several rounds shows the noise. One round has none.
      if (rounds === 1 && !isExact) continue;
      for (const { what: other, ratio } of beside) {
        if (!ratio || ratio.low <= 0) continue;
        const { median, low, high } = ratio;
        const cost = better === 'lower' ? ratio : { median: 1 / median, low: 1 / high, high: 1 / low };
        ratios.set(`${section} / ${table} / ${what} / beside ${other}`, { shown: ratio, cost });
      }
    }
  return ratios;
}

/** Whether every round of `later` cost more than every round of `earlier`, and the median by more than a little. */
const costsMore = (later: Ratio, earlier: Ratio) =>
  later.low > earlier.high && later.median > earlier.median * (1 + toleratedShare);

/** Compares two runs by their ratios only, because absolute figures contain the noise of two machines. */
export function compare(earlier: Report, later: Report): Comparison {
  const before = ratiosOf(earlier);
  const after = ratiosOf(later);
  const differences = (isDifferent: (older: Ratio, newer: Ratio) => boolean) =>
    [...before].flatMap(([what, old]) => {
      const now = after.get(what);
      if (!now || !isDifferent(old.cost, now.cost)) return [];
      return [{ what, before: old.shown.median, after: now.shown.median }];
    });
  return {
    compared: [...before.keys()].filter((what) => after.has(what)).length,
    worse: differences((older, newer) => costsMore(newer, older)),
    better: differences((older, newer) => costsMore(older, newer)),
    missing: [...before.keys()].filter((what) => !after.has(what)),
  };
}
