import type { Section } from './figure.ts';
import type { Machine } from './machine.ts';

/** All of one run; what `bench/report.json` has. */
export interface Report {
  machine: Machine;
  isQuick: boolean;
  sections: Record<string, Section>;
}
