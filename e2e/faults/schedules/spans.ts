import type { Time } from '../time/time.ts';

/** Virtual milliseconds since the run began. */
export interface Span {
  fromMs: number;
  toMs: number;
}

/** From now on calls `begin` and `end` of one span after the other, until `signal` is aborted: that ends the present one. */
export async function runSpans(
  spans: readonly Span[],
  options: { time: Time; signal: AbortSignal; begin: () => unknown; end: () => unknown },
): Promise<void> {
  const { time, signal, begin, end } = options;
  const startedAt = time.now();
  const until = (ms: number) =>
    time.sleep(Math.max(0, startedAt + ms - time.now()), signal).catch(() => undefined);
  for (const { fromMs, toMs } of spans.toSorted((a, b) => a.fromMs - b.fromMs)) {
    await until(fromMs);
    if (signal.aborted) return;
    // It may have passed while another one lasted.
    if (time.now() >= startedAt + toMs) continue;
    await begin();
    await until(toMs);
    await end();
  }
}
