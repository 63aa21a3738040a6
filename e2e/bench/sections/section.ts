import type { Section } from '../report/figure.ts';

export interface BenchOptions {
  isQuick: boolean;
}

/** Measures one part of the product beside its comparisons. */
export type BenchSection = (options: BenchOptions) => Promise<Section>;
