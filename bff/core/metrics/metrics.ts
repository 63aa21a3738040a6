import {
  AggregatorRegistry,
  collectDefaultMetrics,
  Counter,
  type CounterConfiguration,
  Gauge,
  type GaugeConfiguration,
  Histogram,
  type HistogramConfiguration,
  Registry,
} from 'prom-client';
import { version } from '../../build.ts';

/*
 * The registry, and what is counted and measured where it happens. `gauges.ts` has what is read at each scrape. Names and
 * units follow Prometheus: base units, counters end with `_total`. SECURITY: labels have few known values, and never an
 * id, a path, an address or a text of a customer.
 */

/** Declares metrics in one registry, and never in the one that prom-client shares. */
export function declareIn(registry: Registry) {
  const registers = [registry];
  return {
    counter: <Label extends string>(config: CounterConfiguration<Label>) =>
      new Counter({ ...config, registers }),
    gauge: <Label extends string>(config: GaugeConfiguration<Label>) => new Gauge({ ...config, registers }),
    histogram: <Label extends string>(config: HistogramConfiguration<Label>) =>
      new Histogram({ ...config, registers }),
  };
}

export type Declare = ReturnType<typeof declareIn>;

export function createMetrics() {
  const registry = new Registry();
  const { counter, histogram } = declareIn(registry);
  return {
    registry,

    // Requests to the public port, and its refusals.
    httpRequests: counter({
      name: 'deskside_http_requests_total',
      help: 'Requests to the public port, by route pattern, method and status code.',
      labelNames: ['route', 'method', 'code'],
    }),
    httpDurations: histogram({
      name: 'deskside_http_request_duration_seconds',
      help: 'Time to the answer of a request, by route pattern and method; without streams.',
      labelNames: ['route', 'method'],
    }),
    streamOpenings: histogram({
      name: 'deskside_stream_opening_seconds',
      help: 'Time from the request of a stream until its first event was written.',
    }),
    gateRefusals: counter({
      name: 'deskside_gate_refusals_total',
      help: 'Requests to the API that the gate refused, by reason.',
      labelNames: ['reason'],
    }),
    limitRefusals: counter({
      name: 'deskside_limit_refusals_total',
      help: 'Requests, streams and connections that a limit refused, by the name of the limit.',
      labelNames: ['limit'],
    }),
    proofs: counter({
      name: 'deskside_proofs_total',
      help: 'Proofs of work, by result: asked, passed, failed.',
      labelNames: ['result'],
    }),

    // Calls to the ticket service.
    serviceRequests: counter({
      name: 'deskside_service_requests_total',
      help: 'Requests to the ticket service, by call and outcome: ok, or the kind of the failure.',
      labelNames: ['call', 'outcome'],
    }),
    serviceDurations: histogram({
      name: 'deskside_service_request_duration_seconds',
      help: 'Time until a request to the ticket service was answered or failed, by call.',
      labelNames: ['call'],
    }),

    // Customers' sends.
    deliveryDurations: histogram({
      name: 'deskside_delivery_duration_seconds',
      help: 'Time from the acceptance of a send to its end, by kind and final state.',
      labelNames: ['kind', 'state'],
      buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 900, 3_600, 14_400, 86_400],
    }),

    // The streams to open pages.
    streamDurations: histogram({
      name: 'deskside_stream_duration_seconds',
      help: 'How long streams were open. Many that end after the same short time were cut by a proxy.',
      buckets: [1, 10, 30, 60, 120, 300, 900, 3_600, 14_400, 86_400],
    }),
    answerDelays: histogram({
      name: 'deskside_answer_delay_seconds',
      help: "Time from an agent's message at the ticket service until it was written to a stream, for each stream.",
      buckets: [0.5, 1, 2, 3, 5, 10, 20, 30, 60, 120, 300],
    }),

    // The store.
    statementDurations: histogram({
      name: 'deskside_store_statement_duration_seconds',
      help: 'Time of a statement of the store, by kind, with the wait for a lock and for the commit.',
      labelNames: ['statement'],
      buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    }),
    statementErrors: counter({
      name: 'deskside_store_errors_total',
      help: 'Statements of the store that failed, by the primary result code of SQLite or the code of PostgreSQL.',
      labelNames: ['code'],
    }),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;

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
export async function metricsText(sites: readonly Site[]): Promise<string> {
  return AggregatorRegistry.aggregate(await Promise.all(sites.map(readable))).metrics();
}

/** The metrics of a site, without those that cannot be read now: a store that is away must not hide the others. */
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
