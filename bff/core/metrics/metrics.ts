import { AggregatorRegistry, Registry, collectDefaultMetrics } from 'prom-client';
import { declareIn } from './declare.ts';
import { deliveryGauges, deliveryMetrics, type DeliverySources } from './delivery.ts';
import { liveGauges, liveMetrics, type LiveSources } from './live.ts';
import { requestMetrics } from './requests.ts';
import { breakerGauges, type BreakerSources, serviceMetrics } from './service.ts';
import { storeGauges, storeMetrics, type StoreSources } from './store.ts';
import { version } from '../../build.ts';

/**
 * The registry, and the metrics that are counted where the events happen. Names and units follow Prometheus: base
 * units, counters end with `_total`. SECURITY: labels have few known values, and never an id, a path, an address or a
 * text of a customer.
 */
export function createMetrics() {
  const registry = new Registry();
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

interface Site {
  /** Undefined for the main site. */
  name?: string | undefined;
  metrics: Pick<Metrics, 'registry'>;
}

/** The metrics of all sites, for Prometheus. All but the main one have their name as a label. */
export async function metricsText(sites: readonly [Site, ...Site[]]): Promise<string> {
  if (sites.length === 1) return sites[0].metrics.registry.metrics();
  return AggregatorRegistry.aggregate(await Promise.all(sites.map(readable))).metrics();
}

/** The metrics of one of several sites. A store that cannot be read must not hide those of the others. */
async function readable({ name, metrics: { registry } }: Site) {
  const names = registry.getMetricsAsArray().map((metric) => metric.name);
  const read = await Promise.allSettled(names.map((each) => registry.getSingleMetric(each)!.get()));
  return read.flatMap((result) => {
    if (result.status === 'rejected') return [];
    const { values, ...metric } = result.value;
    const labelled = values.map((value) => ({
      ...value,
      labels: { ...value.labels, ...(name && { site: name }) },
    }));
    // No two sites have the same labels. By its own rule, prom-client would leave out the start of the process.
    return { ...metric, values: labelled, aggregator: 'first' };
  });
}
