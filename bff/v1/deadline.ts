import { clearTimeout, setTimeout } from 'node:timers';

/**
 * A signal that aborts after this many milliseconds, unless `end` is called first. `AbortSignal.timeout` cannot be
 * ended early: with hundreds of calls a second, thousands of its timers would wait.
 */
export function startDeadline(ms: number): { signal: AbortSignal; end: () => void } {
  const controller = new AbortController();
  const isOver = () => controller.abort(new DOMException(`no answer in ${ms} ms`, 'TimeoutError'));
  const timer = setTimeout(isOver, ms).unref();
  return { signal: controller.signal, end: () => clearTimeout(timer) };
}
