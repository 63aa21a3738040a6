import type { Registry } from 'prom-client';
import { advice, type ServiceCheck } from '../v1/service-check.ts';
import { type Declare, declareIn } from './declare.ts';

/** Metrics of calls to the ticket service. */
export const serviceMetrics = ({ counter, histogram }: Declare) => ({
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
});

export interface BreakerSources {
  worker: { isBreakerOpen: () => boolean };
  live: { isBreakerOpen: () => boolean };
}

export function breakerGauges({ gauge }: Declare, { worker, live }: BreakerSources): void {
  gauge({
    name: 'deskside_circuit_breaker_open',
    help: 'Whether calls to the ticket service are held back after failures in a row: of deliveries, of watches.',
    labelNames: ['calls'],
    collect() {
      this.set({ calls: 'deliveries' }, Number(worker.isBreakerOpen()));
      this.set({ calls: 'watches' }, Number(live.isBreakerOpen()));
    },
  });
}

/** Declares the state of the ticket service, as in `/readyz`. */
export function declareServiceState(registry: Registry, serviceCheck: Pick<ServiceCheck, 'state'>): void {
  const { gauge } = declareIn(registry);
  gauge({
    name: 'deskside_service_usable',
    help: 'Whether the ticket service works, or has worked and is only away for now.',
    collect() {
      this.set(Number(serviceCheck.state().isUsable));
    },
  });
  gauge({
    name: 'deskside_service_problem',
    help: 'What keeps the ticket service from being used, by cause.',
    labelNames: ['cause'],
    collect() {
      const { problem } = serviceCheck.state();
      for (const cause of Object.keys(advice)) this.set({ cause }, Number(problem?.cause === cause));
    },
  });
}
