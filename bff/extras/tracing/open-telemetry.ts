import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  defaultTextMapSetter,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type Tracer as Recorder,
  trace,
} from '@opentelemetry/api';
import { ExportResultCode, parseTraceParent, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { LRUCache } from 'lru-cache';
import { version } from '../../build.ts';
import type { TracingSettings } from './settings.ts';
import type { Tracer } from '../../core/tracer.ts';

/** For one batch, including retries. */
const exportTimeoutMs = 2_000;
const stopWithinMs = 2_500;
/** How many origins are kept. The oldest are dropped first. */
const maxOrigins = 1_000;

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

/** The span that code runs in. Timers may keep it in memory long after its end. */
interface Place {
  context: SpanContext;
  hasEnded: boolean;
}

const contextOf = ({ context }: Place) => trace.setSpanContext(ROOT_CONTEXT, context);

/** The code, status or message of a failure. */
const reasonOf = (error: (Error & { code?: string | number }) | undefined) =>
  String(error?.code ?? error?.message ?? 'unknown');

/** Reports the first failed batch, and another one only after a successful batch. */
function reportingFailures(exporter: SpanExporter, onFailure: (reason: string) => void): SpanExporter {
  let isFailing = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const hasFailed = result.code === ExportResultCode.FAILED;
        if (hasFailed && !isFailing) onFailure(reasonOf(result.error));
        isFailing = hasFailed;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}

function createProvider(settings: TracingSettings, onFailure: (reason: string) => void): TracerProvider {
  const exporter = new OTLPTraceExporter({
    url: `${settings.endpoint}/v1/traces`,
    headers: settings.headers,
    timeoutMillis: exportTimeoutMs,
    // The exporter's own time limit does not apply while a connection is being made.
    httpAgentOptions: { keepAlive: true, timeout: exportTimeoutMs },
  });
  return new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': settings.serviceName, 'service.version': version }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(settings.sampleRatio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: reportingFailures(exporter, onFailure) })],
  });
}

function createTracer(recorder: Recorder): Tracer {
  const propagator = new W3CTraceContextPropagator();
  const current = new AsyncLocalStorage<Place>();
  const origins = new LRUCache<string, Place>({ max: maxOrigins });

  return {
    async span({ name, kind, attributes = {}, link, origin }, work) {
      const from = origin === undefined ? current.getStore() : origins.get(origin);
      const isPart = from !== undefined && !from.hasEnded;
      // SECURITY: anybody can send a `traceparent`. As a parent it would decide what is recorded, and in which trace.
      const links = [
        link === undefined ? null : parseTraceParent(link),
        from && origin !== undefined && !isPart ? from.context : null,
      ].flatMap((context) => (context ? [{ context }] : []));
      const span = recorder.startSpan(
        name,
        { kind: kinds[kind], attributes, links },
        isPart ? contextOf(from) : ROOT_CONTEXT,
      );
      const place: Place = { context: span.spanContext(), hasEnded: false };
      const fail = (reason: string) =>
        span.setAttribute('error.type', reason).setStatus({ code: SpanStatusCode.ERROR });
      try {
        return await current.run(place, () =>
          work({
            describe(more) {
              if (more.name !== undefined) span.updateName(more.name);
              if (more.attributes) span.setAttributes(more.attributes);
              if (more.failure !== undefined) fail(more.failure);
            },
          }),
        );
      } catch (error) {
        // SECURITY: no message and no stack, since they may contain a text.
        fail('exception');
        throw error;
      } finally {
        place.hasEnded = true;
        span.end();
      }
    },

    remember(key) {
      const place = current.getStore();
      if (place) origins.set(key, place);
    },

    headers() {
      const carrier: Record<string, string> = {};
      const place = current.getStore();
      if (place) propagator.inject(contextOf(place), carrier, defaultTextMapSetter);
      return carrier;
    },
  };
}

/**
 * Sends spans as OTLP over HTTP, in batches, and drops them while the collector does not accept them. Nothing is
 * registered globally, and no library is instrumented, because that would record paths with ids.
 */
export function createOpenTelemetry(settings: TracingSettings, onFailure: (reason: string) => void) {
  const provider = createProvider(settings, onFailure);
  return {
    tracer: createTracer(provider.getTracer('deskside', version)),
    /** Sends the recorded spans. Ends within three seconds, even if the collector does not answer. */
    async stop(): Promise<void> {
      const sent = provider.shutdown().catch(() => {});
      await Promise.race([sent, sleep(stopWithinMs, undefined, { ref: false })]);
    },
  };
}
