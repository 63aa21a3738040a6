import type { Section } from './figure.ts';
import type { Machine } from './machine.ts';

/** A section, and the run that measured it. */
export interface MeasuredSection extends Section {
  machine: Machine;
  isQuick: boolean;
}

/** What `bench/report.json` has: each section as it was measured last. */
export interface Report {
  sections: Record<string, MeasuredSection>;
}
