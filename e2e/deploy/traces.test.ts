import { expect, it } from 'vitest';
import { startTraceCollector } from '../../scripts/trace-collector.ts';
import { startStack } from '../support/stack.ts';

/** Writes a line for each module of OpenTelemetry that is imported. */
const hooks = `import { writeSync } from 'node:fs';
export async function resolve(specifier, context, next) {
  if (/open-?telemetry/.test(specifier)) writeSync(2, 'loads ' + specifier + '\\n');
  return next(specifier, context);
}`;
const asUrl = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`;
const spy = asUrl(`import { register } from 'node:module'; register(${JSON.stringify(asUrl(hooks))});`);

/** Runs built processes for one request. Returns the BFF's exit code, and what it has loaded of OpenTelemetry. */
async function runOnce(env: Record<string, string>) {
  const stack = await startStack({ NODE_OPTIONS: `--import=${spy}`, ...env });
  try {
    expect((await fetch(`${stack.bffUrl}/frame`)).status).toBe(200);
    await stack.bff.stop();
    return {
      code: await stack.bff.exited,
      loaded: stack.lines.filter((line) => line.startsWith('loads ')),
    };
  } finally {
    await stack.stop();
  }
}

it('without a collector the built server loads nothing of OpenTelemetry', async () => {
  expect(await runOnce({ OTEL_SERVICE_NAME: 'support' })).toEqual({ code: 0, loaded: [] });
});

it('with a collector the built server loads it, and has sent its spans when it has stopped', async () => {
  const collector = await startTraceCollector();
  const { code, loaded } = await runOnce({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc',
  });
  await collector.stop();
  expect([code, loaded.length]).toEqual([0, 1]);
  expect(collector.headers[0]).toMatchObject({ authorization: 'Bearer abc' });
  expect(collector.resources()[0]).toMatchObject({ 'service.name': 'deskside-bff' });
  expect(collector.spans().map(({ name }) => name)).toEqual(
    expect.arrayContaining(['GET /frame', 'service probe']),
  );
});
