import { z } from 'zod';

export interface TracingSettings {
  /** Where the collector takes OTLP over HTTP, without `/v1/traces`. */
  endpoint: string;
  /** Sent with every batch of spans. */
  headers: Record<string, string>;
  serviceName: string;
  /** The fraction of traces that is recorded, 0 to 1. */
  sampleRatio: number;
}

const pair = /^([\w!#$%&'*+.^`|~-]+)=([\x21-\x7e][\x20-\x7e]*)$/;

function isEncoded(text: string): boolean {
  try {
    // A header that cannot be sent would fail every batch.
    return /^[\t\x20-\x7e\x80-\xff]*$/.test(decodeURIComponent(text));
  } catch {
    return false;
  }
}

/** `name=value` pairs separated by commas, values percent-encoded. */
export const headerList = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((each) => each.trim())
      .filter(Boolean),
  )
  .pipe(
    z.array(z.string().refine((text) => isEncoded(pair.exec(text)?.[2] ?? '%'), 'must be name=value pairs')),
  )
  .transform((pairs) =>
    Object.fromEntries(
      pairs.map((text) => {
        const [, name, value] = pair.exec(text)!;
        return [name!, decodeURIComponent(value!)];
      }),
    ),
  );

export const sampleRatio = z
  .string()
  .regex(/^(0|0?\.\d{1,9}|1(\.0{1,9})?)$/, 'must be a number from 0 to 1')
  .transform(Number);

/** The settings of tracing. Null without an endpoint: then nothing is traced. */
export const tracingSettings = (set: {
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  OTEL_EXPORTER_OTLP_HEADERS?: Record<string, string> | undefined;
  OTEL_SERVICE_NAME: string;
  OTEL_TRACES_SAMPLER_ARG: number;
}): TracingSettings | null =>
  set.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
    ? null
    : {
        endpoint: set.OTEL_EXPORTER_OTLP_ENDPOINT,
        headers: set.OTEL_EXPORTER_OTLP_HEADERS ?? {},
        serviceName: set.OTEL_SERVICE_NAME,
        sampleRatio: set.OTEL_TRACES_SAMPLER_ARG,
      };
