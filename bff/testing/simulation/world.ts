import type { Store } from '../../store/open.ts';
import type { OperationRow } from '../../store/schema.ts';
import type { Seal } from '../../store/seal.ts';
import { canRetry } from '../../tickets/operations.ts';
import { createCustomers, customers, type Send } from './customers.ts';
import { createInstance, type Instance, leaseMs } from './instance.ts';
import { instances, type Schedule, type Step } from './schedule.ts';
import { createServiceModel, type StoredTicket } from './service.ts';
import { createSimulatedTime, type SimulatedTime, startMs } from './time.ts';

/** What a simulation has come to. */
export interface Evidence {
  sends: readonly Send[];
  /** What the ledger holds, in the order of acceptance. */
  rows: readonly OperationRow[];
  stored: readonly StoredTicket[];
  /** What was wrong on the way, one line each. */
  wrong: readonly string[];
}

const isFinal = ({ state }: OperationRow) => state === 'done' || state === 'rejected';

/** Nothing more happens by itself: it has ended, is its customer's to decide, or waits for a ticket that is. */
const isAtRest = (row: OperationRow, all: readonly OperationRow[]): boolean =>
  isFinal(row) ||
  canRetry(row) ||
  (row.ticket_id === null && all.some((opening) => opening.id === row.opened_by && canRetry(opening)));

/** What a row may not change after its end. */
const endOf = ({ state, error, ticket_id, upstream_id, finished_at }: OperationRow) =>
  JSON.stringify([state, error, ticket_id, upstream_id, finished_at]);

/** Leaves the customers, and nothing that they have sent. */
async function empty(store: Store): Promise<void> {
  for (const table of ['operations', 'grants', 'tickets', 'subjects'] as const)
    await store.deleteFrom(table).execute();
  const subjects = customers.map(({ subjectId }) => ({ id: subjectId, verified: 0, created_at: startMs }));
  await store.insertInto('subjects').values(subjects).execute();
}

/** The same numbers from 0 to 1 in each simulation. */
function createNumbers(): () => number {
  let last = 1;
  return () => (last = (last * 48_271) % 0x7fffffff) / 0x7fffffff;
}

/**
 * Three processes on one store, which is emptied first, before a service. `install` puts the timers of their time in the
 * place of the platform's.
 */
export async function createWorld(
  { store, seal }: { store: Store; seal: Seal },
  hasFooter: boolean,
  install: (globals: SimulatedTime['globals']) => void,
) {
  await empty(store);
  const time = createSimulatedTime();
  install(time.globals);
  const service = createServiceModel(time);
  const running: Instance[] = [];
  const wrong: string[] = [];
  const ends = new Map<string, string>();
  const onError = (error: unknown) => void wrong.push(`unexpected: ${String(error)}`);
  const around = {
    store,
    seal,
    time,
    service,
    hasFooter,
    random: createNumbers(),
    onChange(given: OperationRow, changed: OperationRow) {
      if (changed.fence !== given.fence + 1)
        wrong.push(`written over a newer row: ${given.state} to ${changed.state}`);
    },
    onError,
  };
  const rows = () => store.selectFrom('operations').selectAll().orderBy('seq').execute();
  const { act: actAsCustomer, sends, sendAllAgain } = createCustomers({ instances: running, rows, onError });

  async function startAt(place: number, aheadMs: number): Promise<void> {
    const instance = createInstance(around, aheadMs);
    running[place] = instance;
    await instance.start();
  }

  /** Compares what has ended with how it was before. */
  async function observe(): Promise<OperationRow[]> {
    const all = await rows();
    for (const row of all) {
      const end = ends.get(row.id);
      if (end !== undefined && end !== endOf(row))
        wrong.push(`changed after its end: ${end} to ${endOf(row)}`);
      if (isFinal(row)) ends.set(row.id, endOf(row));
      if (canRetry(row)) sends.find(({ key }) => key === row.key)!.wasUndecided = true;
    }
    return all;
  }

  function replace(place: number): void {
    const instance = running[place]!;
    instance.kill();
    void startAt(place, instance.aheadMs());
  }

  async function act(step: Step): Promise<void> {
    switch (step.do) {
      case 'poll':
        for (const each of running) each.poll();
        return;
      case 'pass':
        return time.pass(step.ms);
      case 'fault of a write':
        return service.faultWrite(step.fault);
      case 'fault of a read':
        return service.faultRead(step.fault);
      case 'outage':
        return service.leave(step.ms);
      case 'fill':
        return service.fill();
      case 'freeze':
        return running[step.at]!.freezeAt(step.point, step.ms);
      case 'kill':
        if (step.point === null) return replace(step.at);
        return running[step.at]!.callAt(step.point, () => replace(step.at));
      case 'clock':
        return running[step.at]!.setClock(step.aheadMs);
      default:
        return actAsCustomer(step);
    }
  }

  for (let place = 0; place < instances; place += 1) await startAt(place, 0);

  return {
    async run({ steps }: Schedule): Promise<void> {
      for (const step of steps) {
        await act(step);
        await time.settle();
        await observe();
      }
    },

    sendAllAgain,

    /** From now on nothing more fails, and time passes until nothing more happens by itself, or for so long. */
    async heal(forMs: number): Promise<void> {
      service.heal();
      for (const instance of running) instance.spare();
      for (let passed = 0; passed < forMs; passed += leaseMs) {
        await time.pass(leaseMs);
        const all = await observe();
        const isOver = all.every((row) => isAtRest(row, all));
        // One that wakes may still do harm.
        if (isOver && !running.some((instance) => instance.isFrozen())) return;
      }
    },

    /** Ends the processes. */
    async end(): Promise<Evidence> {
      const all = await observe();
      for (const instance of running) instance.kill();
      return { sends, rows: all, stored: service.tickets, wrong };
    },
  };
}
