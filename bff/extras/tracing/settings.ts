import { z } from 'zod';
import { setting, type SettingGroup, type Values, type ValuesOf } from '../../core/settings/settings.ts';
import { httpUrl, isPrivate } from '../../core/settings/values.ts';

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
const headerList = z
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

const sampleRatio = z
  .string()
  .regex(/^(0|0?\.\d{1,9}|1(\.0{1,9})?)$/, 'must be a number from 0 to 1')
  .transform(Number);

export const tracingSettings = {
  heading: 'Traces',
  shape: {
    OTEL_EXPORTER_OTLP_ENDPOINT: setting(httpUrl.optional(), {
      about: 'Your OpenTelemetry collector, for OTLP over HTTP. Traces go to its /v1/traces.',
      example: 'http://localhost:4318',
      kind: 'host',
    }),
    OTEL_EXPORTER_OTLP_HEADERS: setting(headerList.optional(), {
      about: 'Headers for it: name=value pairs separated by commas, values percent-encoded.',
      example: 'authorization=Bearer%20token',
      kind: 'private',
    }),
    OTEL_SERVICE_NAME: setting(z.string().min(1).max(80).default('deskside-bff'), {
      about: 'The name of this server in the traces.',
    }),
    OTEL_TRACES_SAMPLER_ARG: setting(sampleRatio.default(1), {
      about: 'The fraction of traces that is recorded, from 0 to 1.',
    }),
  },
  warnings(values) {
    const settings = tracingOf(values);
    const isRisky = settings && Object.keys(settings.headers).length > 0 && !isPrivate(settings.endpoint);
    return isRisky ? ['collector_headers_unencrypted'] : [];
  },
} satisfies SettingGroup;

/** Null without an endpoint: then nothing is traced. */
export function tracingOf(values: Values): TracingSettings | null {
  const set = values as ValuesOf<typeof tracingSettings.shape>;
  if (set.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return null;
  return {
    endpoint: set.OTEL_EXPORTER_OTLP_ENDPOINT,
    headers: set.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    serviceName: set.OTEL_SERVICE_NAME,
    sampleRatio: set.OTEL_TRACES_SAMPLER_ARG,
  };
}
