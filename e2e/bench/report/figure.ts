/** The median, the minimum and the maximum of the rounds of one run. */
export interface Summary {
  median: number;
  low: number;
  high: number;
}

export interface Beside extends Summary {
  what: string;
  /** Our value divided by theirs, for each round. Null when theirs is zero. */
  ratio: Summary | null;
}

/** One measured property of the product, beside what it is compared with in the same run. */
export interface Figure extends Summary {
  /** The table of the report that has it. */
  table: string;
  what: string;
  unit: string;
  better: 'lower' | 'higher';
  rounds: number;
  /** A count that is the same on every machine, such as bytes: one round is enough. */
  isExact?: true;
  beside: Beside[];
  aim?: string;
}

/** A plot that is drawn in addition to the tables. */
export interface Plot {
  /** The name of the file, without its extension. */
  name: string;
  title: string;
  x: { name: string; isLog: boolean; categories?: string[] };
  y: { name: string; isLog?: boolean };
  /** Bars when `x` has categories, else lines through these points. */
  series: { name: string; points: [x: number | string, y: number][] }[];
}

export interface Section {
  figures: Figure[];
  plots: Plot[];
  /** What a reader must know about how these figures were measured; Markdown. */
  notes: string[];
}

/** @throws when there is nothing to summarise */
export function summarize(values: readonly number[]): Summary {
  if (values.length === 0) throw new Error('no rounds were measured');
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const median = sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
  return { median, low: sorted[0]!, high: sorted.at(-1)! };
}

/**
 * Divides the rounds in pairs. The rounds of a pair were measured in turn, so other work of the machine slowed down
 * both.
 */
function ratioOf(ours: readonly number[], theirs: readonly number[]): Summary | null {
  if (theirs.some((value) => value === 0)) return null;
  const divisor = summarize(theirs).median;
  const isPaired = ours.length === theirs.length;
  return summarize(ours.map((value, round) => value / (isPaired ? theirs[round]! : divisor)));
}

interface Measured extends Pick<Figure, 'table' | 'what' | 'unit' | 'aim' | 'isExact'> {
  /** Each round's value. */
  of: readonly number[];
  better?: Figure['better'];
  /** Each round's values of the peers, by name. */
  beside?: Record<string, readonly number[]>;
}

export const figure = ({ of, better = 'lower', beside = {}, ...named }: Measured): Figure => ({
  ...named,
  better,
  rounds: of.length,
  ...summarize(of),
  beside: Object.entries(beside).map(([what, theirs]) => ({
    what,
    ...summarize(theirs),
    ratio: ratioOf(of, theirs),
  })),
});
