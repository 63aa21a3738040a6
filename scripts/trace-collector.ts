import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { serve } from './serve.ts';

interface KeyValue {
  key: string;
  value: { stringValue?: string; intValue?: number };
}

/** A span in OTLP's JSON format. */
interface WireSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: KeyValue[];
  status: { code: number };
  links: { traceId: string; spanId: string }[];
}

interface Payload {
  resourceSpans: { resource: { attributes: KeyValue[] }; scopeSpans: { spans: WireSpan[] }[] }[];
}

const record = (pairs: KeyValue[]) =>
  Object.fromEntries(pairs.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));

/** An OpenTelemetry collector on loopback that takes OTLP over HTTP as JSON, and keeps what it gets. */
export async function startTraceCollector({ answers = true } = {}) {
  const payloads: string[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const server = await serve((request, response) => {
    if (!answers) return;
    if (request.url !== '/v1/traces') return void response.writeHead(404).end();
    headers.push(request.headers);
    void text(request).then((body) => {
      payloads.push(body);
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    });
  });
  const resources = () => payloads.flatMap((payload) => (JSON.parse(payload) as Payload).resourceSpans);
  return {
    ...server,
    payloads,
    headers,
    resources: () => resources().map(({ resource }) => record(resource.attributes)),
    spans: () =>
      resources()
        .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
        .map((span) => ({ ...span, attributes: record(span.attributes) })),
  };
}

export type TraceCollector = Awaited<ReturnType<typeof startTraceCollector>>;
