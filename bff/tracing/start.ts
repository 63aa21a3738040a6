import type { TracingSettings } from './settings.ts';
import { noTracer, type Tracing } from './tracer.ts';

/**
 * Loads OpenTelemetry, but only where traces are to be sent.
 * @param onFailure called once for each time that the collector stops taking traces
 */
export async function startTracing(
  settings: TracingSettings | null,
  onFailure: (reason: string) => void,
): Promise<Tracing> {
  if (!settings) return { tracer: noTracer, stop: async () => {} };
  const { createOpenTelemetry } = await import('./open-telemetry.ts');
  return createOpenTelemetry(settings, onFailure);
}
