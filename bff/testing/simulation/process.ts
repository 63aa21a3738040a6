import type { Extra } from '../../core/extra.ts';
import { AppError } from '../../core/errors.ts';
import type { Part } from '../../core/part.ts';
import type { Log } from '../../core/log/log.ts';
import { createMetrics } from '../../core/metrics/metrics.ts';
import { UnreachableError } from '../../core/store/errors.ts';
import type { Seal } from '../../core/store/seal.ts';
import { noTracer } from '../../core/tracer.ts';
import { createCore } from '../../core/wiring.ts';
import { testConfig, type TestConfig } from '../config.ts';
import { type ServiceModel, timeoutMs } from './service.ts';
import { createStops } from './stops.ts';
import type { SharedStore } from './store.ts';
import { type SimulatedTime, startMs } from './time.ts';

/** Where a process can be stopped: before it uses the store, after the service or the mail server has answered. */
export const processPoints = ['store', 'service', 'mail'] as const;
export type ProcessPoint = (typeof processPoints)[number];

/** When a process passes this point, after passing it `skip` times. */
export interface Stop {
  point: ProcessPoint;
  skip: number;
}

/** What the store does to the next statements of a process, after `skip` others. */
export interface StoreFault {
  how: 'away' | 'locked';
  /** Whether the statement is executed, though it fails. */
  moment: 'before' | 'after';
  skip: number;
  times: number;
}

class LockedError extends Error {
  readonly code = 'SQLITE_BUSY';
}

class EndedError extends Error {}

/** Failures that the faults of a simulation explain. */
export const isExpected = (error: unknown): boolean =>
  [AppError, UnreachableError, LockedError, EndedError].some((kind) => error instanceof kind);

/** The objects that all processes of one simulation share. */
export interface Shared {
  store: SharedStore;
  seal: Seal;
  time: SimulatedTime;
  service: ServiceModel;
  config: Partial<TestConfig>;
  extras: readonly Extra[];
  /** Called when a process meets one of its faults. */
  onFault: () => void;
  onError: (error: unknown) => void;
}

/** One process with all modules of the core and these extras, with its own clocks. Its parts are not started. */
export async function createProcess(shared: Shared, aheadMs = 0) {
  const { time, service, extras, onFault, onError } = shared;
  const stops = createStops(time);
  const faults: StoreFault[] = [];
  const bornAt = time.now();
  const clock = { now: () => startMs + time.now() + aheadMs, elapsed: () => time.now() - bornAt };

  function meet(moment: StoreFault['moment']): void {
    if (stops.isDead()) throw new EndedError('the process has ended');
    const [fault] = faults;
    if (fault?.moment !== moment || fault.skip-- > 0) return;
    fault.times -= 1;
    if (fault.times <= 0) faults.shift();
    onFault();
    if (fault.how === 'away') throw new UnreachableError(new Error('the connection broke'));
    throw new LockedError('the store is locked');
  }

  /** Only the simulated time waits for calls that are on their way. */
  function away<Given extends unknown[], Result>(
    point: ProcessPoint,
    call: (...given: Given) => Promise<Result>,
  ): (...given: Given) => Promise<Result> {
    return async (...given) => {
      if (stops.isDead()) await new Promise(() => {});
      const result = await call(...given);
      await stops.pass(point);
      return result;
    };
  }

  const log: Log = {
    info() {},
    request() {},
    flush() {},
    report: (_, { err } = {}) => {
      if (err !== undefined && !stops.isDead() && !isExpected(err)) onError(err);
    },
  };
  const client = service.clientOf(clock);
  const v1 = {
    ...client,
    createTicket: away('service', client.createTicket),
    addMessage: away('service', client.addMessage),
    getTicket: away('service', client.getTicket),
    listTickets: away('service', client.listTickets),
  };
  const parts: Part[] = [];
  const usual = testConfig(timeoutMs);
  const core = createCore(
    {
      config: { ...usual, ...shared.config, values: { ...usual.values, ...shared.config.values } },
      store: shared.store.through({ time, enter: () => stops.pass('store'), meet }),
      instances: null,
      ownScripts: new Map(),
      seal: shared.seal,
      v1,
      metrics: createMetrics(),
      tracer: { ...noTracer },
      log,
      limitsFile: null,
      ...clock,
    },
    parts,
  );
  for (const extra of extras) {
    const part = await extra.create(core);
    if (part) parts.push(part);
  }

  return {
    core,
    parts,
    away,
    async start(): Promise<void> {
      await core.worker.start();
      for (const part of parts) await part.start?.();
    },
    faultStore: (fault: StoreFault) => void faults.push({ ...fault }),
    callAt: ({ point, skip }: Stop, call: () => void) => stops.callAt(point, call, skip),
    freeze(forMs: number): void {
      onFault();
      stops.freeze(forMs);
    },
    isDead: stops.isDead,
    isFrozen: stops.isFrozen,
    kill(): void {
      onFault();
      stops.kill();
      core.live.stop();
      void core.worker.stop();
      for (const part of parts) void part.stop?.();
    },
    /** Sets the wall clock. */
    setClock: (ms: number) => void (aheadMs = ms),
    /** Cancels the faults that were planned. */
    spare(): void {
      stops.spare();
      faults.length = 0;
    },
  };
}

export type Process = Awaited<ReturnType<typeof createProcess>>;
