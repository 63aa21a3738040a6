import type { Declare } from './declare.ts';

/** Metrics of requests to the public port, and of its refusals. */
export const requestMetrics = ({ counter, histogram }: Declare) => ({
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
});
