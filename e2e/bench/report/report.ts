import { z } from 'zod';
import type { Section } from './figure.ts';
import type { Machine } from './machine.ts';

/** A section, and the run that measured it. */
export interface MeasuredSection extends Section {
  machine: Machine;
  isQuick: boolean;
}

/** The content of `bench/report.json`: the last measurement of each section. */
export interface Report {
  sections: Record<string, MeasuredSection>;
}

const summary = { median: z.number(), low: z.number(), high: z.number() };

const figure = z.object({
  ...summary,
  table: z.string(),
  what: z.string(),
  unit: z.string(),
  better: z.enum(['lower', 'higher']),
  rounds: z.number(),
  isExact: z.literal(true).exactOptional(),
  beside: z.array(z.object({ ...summary, what: z.string(), ratio: z.object(summary).nullable() })),
  aim: z.string().exactOptional(),
});

const plot = z.object({
  name: z.string(),
  title: z.string(),
  x: z.object({ name: z.string(), isLog: z.boolean(), categories: z.array(z.string()).exactOptional() }),
  y: z.object({ name: z.string(), isLog: z.boolean().exactOptional() }),
  series: z.array(
    z.object({
      name: z.string(),
      points: z.array(z.tuple([z.union([z.number(), z.string()]), z.number()])),
    }),
  ),
});

const machine = z.object({
  cores: z.number(),
  processor: z.string(),
  memoryGb: z.number(),
  node: z.string(),
  chromium: z.string(),
  startedAt: z.string(),
  loadBefore: z.number(),
  loadAfter: z.number(),
});

const report: z.ZodType<Report> = z.object({
  sections: z.record(
    z.string(),
    z.object({
      figures: z.array(figure),
      plots: z.array(plot),
      notes: z.array(z.string()),
      machine,
      isQuick: z.boolean(),
    }),
  ),
});

/**
 * Reads the text of a `report.json`.
 * @throws when it is no report of this form; the message names each place that is wrong
 */
export function parseReport(text: string): Report {
  const { success, data, error } = report.safeParse(JSON.parse(text));
  if (!success) throw new Error(z.prettifyError(error));
  return data;
}
