import {
  Counter,
  type CounterConfiguration,
  Gauge,
  type GaugeConfiguration,
  Histogram,
  type HistogramConfiguration,
  type Registry,
} from 'prom-client';

/** Declares metrics in one registry, and never in the one that prom-client shares. */
export function declareIn(registry: Registry) {
  const registers = [registry];
  return {
    counter: <Label extends string>(config: CounterConfiguration<Label>) =>
      new Counter({ ...config, registers }),
    gauge: <Label extends string>(config: GaugeConfiguration<Label>) => new Gauge({ ...config, registers }),
    histogram: <Label extends string>(config: HistogramConfiguration<Label>) =>
      new Histogram({ ...config, registers }),
  };
}

export type Declare = ReturnType<typeof declareIn>;
