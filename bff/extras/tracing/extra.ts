import type { Extra } from '../../core/extra.ts';
import { tracingOf, tracingSettings } from './settings.ts';

/** Sends traces to a collector. OpenTelemetry is loaded only then. */
export const tracing: Extra = {
  name: 'tracing',
  isForServer: true,
  settings: tracingSettings,
  async create({ config, tracer, log }) {
    const settings = tracingOf(config.values);
    if (!settings) return null;
    const { createOpenTelemetry } = await import('./open-telemetry.ts');
    const telemetry = createOpenTelemetry(settings, (cause) => log.report('traces_not_sent', { cause }));
    Object.assign(tracer, telemetry.tracer);
    return { flush: telemetry.stop };
  },
};
