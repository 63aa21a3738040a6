import { Registry } from 'prom-client';
import { declareIn } from './declare.ts';
import { deliveryGauges, deliveryMetrics, type DeliverySources } from './delivery.ts';
import { liveGauges, liveMetrics, type LiveSources } from './live.ts';
import { noticeGauges, noticeMetrics, type NoticeSources } from './notices.ts';
import { requestMetrics } from './requests.ts';
import { breakerGauges, type BreakerSources, serviceMetrics } from './service.ts';
import { storeGauges, storeMetrics, type StoreSources } from './store.ts';

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
    ...noticeMetrics(declare),
    ...storeMetrics(declare),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;

/** Declares gauges that are read from the modules of the server at each scrape. */
export function declareGauges(
  { registry }: Pick<Metrics, 'registry'>,
  sources: DeliverySources & LiveSources & NoticeSources & BreakerSources & StoreSources,
): void {
  const declare = declareIn(registry);
  breakerGauges(declare, sources);
  deliveryGauges(declare, sources);
  liveGauges(declare, sources);
  noticeGauges(declare, sources);
  storeGauges(declare, sources);
}
