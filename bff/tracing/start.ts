import type { TracingSettings } from './settings.ts';
import { noTracer, type Tracing } from './tracer.ts';

/**
 * Loads OpenTelemetry, but only when traces are sent.
 * @param onFailure called once each time the collector stops accepting traces
 */
export async function startTracing(
  settings: TracingSettings | null,
  onFailure: (reason: string) => void,
): Promise<Tracing> {
  if (!settings) return { tracer: noTracer, stop: async () => {} };
  const { createOpenTelemetry } = await import('./open-telemetry.ts');
  return createOpenTelemetry(settings, onFailure);
}
