import { leaksIn, samplesOf } from '../../scripts/leaks.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { createFakeService } from './fake-service.ts';

/** What customers and agents wrote, as the ticket service knows it. */
const textFields = new Set([
  'subject',
  'description',
  'body',
  'customer_email',
  'customer_name',
  'email',
  'name',
  'company',
]);

function textsOf(data: unknown): string[] {
  if (Array.isArray(data)) return data.flatMap(textsOf);
  if (typeof data !== 'object' || data === null) return [];
  return Object.entries(data).flatMap(([field, value]) =>
    typeof value === 'string' && textFields.has(field)
      ? // Without the line for agents.
        [value.replace(/\n\nDeskside: .*$/, '')]
      : textsOf(value),
  );
}

/** What strangers must not read in the log lines and metrics of this BFF: anything of a customer, and keys. */
export async function leaksOf(bff: {
  logLines: readonly string[];
  metrics: Pick<Metrics, 'registry'>;
  service: Pick<ReturnType<typeof createFakeService>, 'calls' | 'tickets'>;
}): Promise<string[]> {
  // Some tests break the store, which the gauges are read from.
  const metrics = await bff.metrics.registry.metrics().catch(() => '');
  const texts = textsOf([bff.service.calls, ...bff.service.tickets.values()]);
  return leaksIn([...bff.logLines, ...samplesOf(metrics)], texts);
}
