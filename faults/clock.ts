import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import timersPromises from 'node:timers/promises';
import { promisify } from 'node:util';
import { createTime } from './time.ts';

/*
 * Preloaded into BFF and service: their `Date`, timers and time-outs follow the virtual time of `CLOCK_PACE`, and they
 * know nothing of it. What Node does inside itself (its HTTP time-outs, the `Date` header) stays in real time.
 */
const [fromMs = 0, untilMs = 0, speed = 1] = (process.env['CLOCK_PACE'] ?? '').split(',').map(Number);
const { virtualAt, realAt } = createTime({ fromMs, untilMs, speed });

const realNow = Date.now;
const virtualNow = () => Math.floor(virtualAt(realNow()));
Date.now = virtualNow;
globalThis.Date = new Proxy(Date, {
  construct: (target, args: unknown[], newTarget) =>
    Reflect.construct(target, args.length === 0 ? [virtualNow()] : args, newTarget) as object,
  apply: () => new Date().toString(),
});

const startedAt = virtualNow();
Object.defineProperty(performance, 'now', { value: () => virtualAt(realNow()) - startedAt });

const longestMs = 2 ** 31 - 1;
function realDelay(ms: number | undefined): number | undefined {
  if (ms === undefined || !(ms >= 1)) return ms;
  const at = realNow();
  return Math.min(realAt(virtualAt(at) + ms) - at, longestMs);
}

const { setTimeout: realTimeout, setInterval: realInterval } = globalThis;
const realSleep = timersPromises.setTimeout;
type Callback = (...args: unknown[]) => void;

const sleep = ((ms, value, options) => realSleep(realDelay(ms), value, options)) as typeof realSleep;
const virtualTimeout = Object.assign(
  (callback: Callback, ms?: number, ...args: unknown[]) => realTimeout(callback, realDelay(ms), ...args),
  { [promisify.custom]: sleep },
);
/** At the pace of the moment it is set. */
const virtualInterval = (callback: Callback, ms?: number, ...args: unknown[]) =>
  realInterval(callback, realDelay(ms), ...args);

Object.assign(globalThis, { setTimeout: virtualTimeout, setInterval: virtualInterval });
Object.assign(timers, { setTimeout: virtualTimeout, setInterval: virtualInterval });
timersPromises.setTimeout = sleep;
syncBuiltinESMExports();

AbortSignal.timeout = (ms) => {
  const controller = new AbortController();
  const expire = () => controller.abort(new DOMException('The operation timed out', 'TimeoutError'));
  virtualTimeout(expire, ms).unref();
  return controller.signal;
};
