import { declareProcess } from '../core/metrics/metrics.ts';
import { declareServiceState } from '../core/metrics/gauges.ts';
import { startBff } from './bff.ts';

export interface DeclaredMetric {
  name: string;
  help: string;
  type: string;
  labelNames: string[];
}

/** Every metric that a server declares, including prom-client's metrics of the process. */
export async function declaredMetrics(): Promise<DeclaredMetric[]> {
  const bff = await startBff();
  const { registry } = bff.metrics;
  declareServiceState(registry, { state: () => ({ isUsable: true, problem: null }) });
  declareProcess(registry);
  await bff.stop();
  return registry.getMetricsAsArray() as unknown as DeclaredMetric[];
}

/** The value of one sample of a scrape; undefined when it is not shown. `sample`: name and labels as Prometheus writes them. */
export function valueOf(text: string, sample: string): number | undefined {
  const line = text.split('\n').find((each) => each.startsWith(`${sample} `));
  return line === undefined ? undefined : Number(line.slice(sample.length + 1));
}
