import { readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import timers from 'node:timers';
import timersPromises from 'node:timers/promises';
import { promisify } from 'node:util';

/*
 * Preloaded into BFF and service: their `Date`, timers, time-outs and monotonic clocks follow the virtual time of
 * `CLOCK_PACE`, without any change to their code. The file `CLOCK_OFF` moves `Date` alone. Node's internals (HTTP
 * time-outs, the `Date` header) stay in real time.
 */
const [fromMs = 0, speed = 1] = (process.env['CLOCK_PACE'] ?? '').split(',').map(Number);

const { timeOrigin } = performance;
const sinceOrigin = performance.now.bind(performance);
const realNow = () => timeOrigin + sinceOrigin();
const virtualNow = () => fromMs + (realNow() - fromMs) * speed;

const offFile = process.env['CLOCK_OFF'];
const readEveryMs = 5;
let offMs = 0;
let readAt = -Infinity;
function wallNow(): number {
  if (offFile && realNow() >= readAt + readEveryMs) {
    readAt = realNow();
    offMs = Number(readFileSync(offFile, 'utf8'));
  }
  return Math.floor(virtualNow() + offMs);
}
Date.now = wallNow;
globalThis.Date = new Proxy(Date, {
  construct: (target, args: unknown[], newTarget) =>
    Reflect.construct(target, args.length === 0 ? [wallNow()] : args, newTarget) as object,
  apply: () => new Date().toString(),
});

const startedAt = virtualNow();
Object.defineProperty(performance, 'timeOrigin', { value: startedAt });
Object.defineProperty(performance, 'now', { value: () => virtualNow() - startedAt });

// These two count from the start of the system, so that processes can compare them.
const gainedMs = () => virtualNow() - realNow();
const realBigint = process.hrtime.bigint;
const bigint = () => realBigint() + BigInt(Math.round(gainedMs() * 1e6));
process.hrtime = Object.assign(
  (before: [number, number] = [0, 0]): [number, number] => {
    const ns = bigint() - BigInt(before[0]) * 1_000_000_000n - BigInt(before[1]);
    return [Number(ns / 1_000_000_000n), Number(ns % 1_000_000_000n)];
  },
  { bigint },
);
const realUptime = os.uptime;
os.uptime = () => realUptime() + gainedMs() / 1_000;

const longestMs = 2 ** 31 - 1;
const realDelay = (ms: number | undefined) =>
  ms === undefined || !(ms >= 1) ? ms : Math.min(ms / speed, longestMs);

const { setTimeout: realTimeout, setInterval: realInterval } = globalThis;
const realSleep = timersPromises.setTimeout;
type Callback = (...args: unknown[]) => void;

const sleep = ((ms, value, options) => realSleep(realDelay(ms), value, options)) as typeof realSleep;
const virtualTimeout = Object.assign(
  (callback: Callback, ms?: number, ...args: unknown[]) => realTimeout(callback, realDelay(ms), ...args),
  { [promisify.custom]: sleep },
);
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
