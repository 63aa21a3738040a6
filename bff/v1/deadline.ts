import { clearTimeout, setTimeout } from 'node:timers';

/**
 * A signal that aborts after so many milliseconds, unless `end` is called first. `AbortSignal.timeout` cannot be ended: with
 * hundreds of calls a second, thousands of them wait for their time.
 */
export function startDeadline(ms: number): { signal: AbortSignal; end: () => void } {
  const controller = new AbortController();
  const isOver = () => controller.abort(new DOMException(`no answer in ${ms} ms`, 'TimeoutError'));
  const timer = setTimeout(isOver, ms).unref();
  return { signal: controller.signal, end: () => clearTimeout(timer) };
}
