import { leaksIn, samplesOf } from '../../scripts/leaks.ts';
import type { Metrics } from '../core/metrics/metrics.ts';
import type { V1NewTicket } from '../core/v1/client.ts';
import type { createFakeService } from './fake-service.ts';

/** The fields of a new ticket that customers write. */
const ofNewTicket: Record<keyof Omit<V1NewTicket, 'priority'>, true> = {
  subject: true,
  description: true,
  customer_email: true,
  customer_name: true,
};
/** The fields that customers and agents write, as the ticket service names them. */
const textFields = new Set([...Object.keys(ofNewTicket), 'body', 'email', 'name', 'company']);

/** The customer's text, and the values in the line for agents, except values that log lines may contain. */
function partsOf(text: string): string[] {
  const [words, line = ''] = text.split(/\n\nDeskside: (?=.*$)/);
  const facts = line.split(' · ').filter((fact) => !/^(?:e-mail|details|ref) /.test(fact));
  return [words!, ...facts.map((fact) => fact.slice(fact.indexOf(' ') + 1))];
}

function textsOf(data: unknown): string[] {
  if (Array.isArray(data)) return data.flatMap(textsOf);
  if (typeof data !== 'object' || data === null) return [];
  return Object.entries(data).flatMap(([field, value]) =>
    typeof value === 'string' && textFields.has(field) ? partsOf(value) : textsOf(value),
  );
}

/** Finds data of customers, and keys, in the log lines and metrics of this BFF. */
export async function leaksOf(bff: {
  logLines: readonly string[];
  metrics: Pick<Metrics, 'registry'>;
  service: Pick<ReturnType<typeof createFakeService>, 'calls' | 'tickets'>;
}): Promise<string[]> {
  // Some tests break the store, from which the gauges are read.
  const metrics = await bff.metrics.registry.metrics().catch(() => '');
  const texts = textsOf([bff.service.calls, ...bff.service.tickets.values()]);
  return leaksIn([...bff.logLines, ...samplesOf(metrics)], texts);
}
