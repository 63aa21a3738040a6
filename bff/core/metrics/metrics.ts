import { AggregatorRegistry, Registry, collectDefaultMetrics } from 'prom-client';
import { declareIn } from './declare.ts';
import { deliveryGauges, deliveryMetrics, type DeliverySources } from './delivery.ts';
import { liveGauges, liveMetrics, type LiveSources } from './live.ts';
import { requestMetrics } from './requests.ts';
import { breakerGauges, type BreakerSources, serviceMetrics } from './service.ts';
import { storeGauges, storeMetrics, type StoreSources } from './store.ts';
import { version } from '../../version.ts';

/**
 * The registry, and the metrics that are counted where the events happen. Names and units follow Prometheus: base
 * units, counters end with `_total`. SECURITY: labels have few known values, and never an id, a path, an address or a
 * text of a customer.
 * @param site the name of the site that is counted, if it is not the main one: a label of all its metrics
 */
export function createMetrics(site?: string) {
  const registry = new Registry();
  if (site) registry.setDefaultLabels({ site });
  const declare = declareIn(registry);
  return {
    registry,
    ...requestMetrics(declare),
    ...serviceMetrics(declare),
    ...deliveryMetrics(declare),
    ...liveMetrics(declare),
    ...storeMetrics(declare),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;

/** Declares gauges that are read from the modules of the server at each scrape. */
export function declareGauges(
  { registry }: Pick<Metrics, 'registry'>,
  sources: DeliverySources & LiveSources & BreakerSources & StoreSources,
): void {
  const declare = declareIn(registry);
  breakerGauges(declare, sources);
  deliveryGauges(declare, sources);
  liveGauges(declare, sources);
  storeGauges(declare, sources);
}

/**
 * Declares the build, and prom-client's metrics of the process. Their names have no prefix, so that dashboards for
 * Node understand them. To be called once in a process, because it observes the event loop and the garbage collector.
 */
export function declareProcess(registry: Registry): void {
  declareIn(registry)
    .gauge({
      name: 'deskside_build_info',
      help: 'Always 1: the version of this build, and of Node.',
      labelNames: ['version', 'node'],
    })
    .set({ version, node: process.version }, 1);
  collectDefaultMetrics({ register: registry });
}

/** The metrics of all sites, for Prometheus. */
export async function metricsText(registries: readonly Registry[]): Promise<string> {
  if (registries.length === 1) return registries[0]!.metrics();
  const all = await Promise.all(registries.map((registry) => registry.getMetricsAsJSON()));
  // Their labels differ, so nothing is added up. By its own rule, prom-client would leave out the start of the process.
  const kept = all.map((metrics) => metrics.map((metric) => ({ ...metric, aggregator: 'first' })));
  return AggregatorRegistry.aggregate(kept).metrics();
}
