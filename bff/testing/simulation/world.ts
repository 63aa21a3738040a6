import { sql } from 'kysely';
import type { Store } from '../../core/store/open.ts';
import type { OperationRow } from '../../core/store/schema.ts';
import type { Seal } from '../../core/store/seal.ts';
import { canRetry } from '../../core/tickets/operations.ts';
import { createCustomers, customers, type Send } from './customers.ts';
import { createInstance, type Instance, leaseMs } from './instance.ts';
import { instances, type Schedule, type Step } from './schedule.ts';
import { createServiceModel, type StoredTicket } from './service.ts';
import { createSimulatedTime, type SimulatedTime, startMs } from './time.ts';

/** The result of a simulation. */
export interface Evidence {
  sends: readonly Send[];
  /** The rows of the ledger, in the order of acceptance. */
  rows: readonly OperationRow[];
  stored: readonly StoredTicket[];
  /** Violations found during the simulation, one line each. */
  wrong: readonly string[];
}

const isFinal = ({ state }: OperationRow) => state === 'done' || state === 'rejected';

/**
 * Whether nothing more happens without a decision: the operation has ended, its customer must decide, or it waits for
 * such a ticket.
 */
const isAtRest = (row: OperationRow, all: readonly OperationRow[]): boolean =>
  isFinal(row) ||
  canRetry(row) ||
  (row.ticket_id === null && all.some((opening) => opening.id === row.opened_by && canRetry(opening)));

/** The columns that may not change after the end of an operation. */
const endOf = ({ state, error, ticket_id, upstream_id, finished_at }: OperationRow) =>
  JSON.stringify([state, error, ticket_id, upstream_id, finished_at]);

const changing = ['tickets', 'grants', 'operations'] as const;

/** Has sends of long ago, which no simulation changes. */
const other = 'somebody else';

/** Fills a store with sends that have ended or wait for a decision. */
export async function fillStore(store: Store, count: number): Promise<void> {
  await store.insertInto('subjects').values({ id: other, verified: 0, created_at: startMs }).execute();
  const columns = sql.raw(
    'id, subject_id, session_id, key, kind, fingerprint, ref, ticket_id, state, attempts, created_at',
  );
  await sql`
    INSERT INTO operations (${columns})
    WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
    SELECT 'other ' || n, ${other}, 'other', 'other ' || n, 'message', 'other', 'other ' || n, 'other ' || n / 10,
      CASE n % 10 WHEN 0 THEN 'unknown' WHEN 1 THEN 'rejected' ELSE 'done' END, 1, ${startMs}
    FROM numbers
  `.execute(store);
}

const ours = customers.map(({ subjectId }) => subjectId);
const operationsIn = (store: Store) =>
  store.selectFrom('operations').selectAll().where('subject_id', 'in', ours).orderBy('seq').execute();

/** Removes the rows of the customers, and writes these. */
async function fillTables(store: Store, rows: Partial<Record<(typeof changing)[number], object[]>>) {
  await store.deleteFrom('operations').where('subject_id', 'in', ours).execute();
  for (const table of ['grants', 'tickets'] as const) await store.deleteFrom(table).execute();
  for (const table of changing)
    for (const row of rows[table] ?? []) await store.insertInto(table).values(row).execute();
}

/** Removes everything except the customers. */
async function empty(store: Store): Promise<void> {
  await fillTables(store, {});
  const subjects = ours.map((id) => ({ id, verified: 0, created_at: startMs }));
  await store
    .insertInto('subjects')
    .values(subjects)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The same sequence of numbers from 0 to 1 in each simulation. */
function createNumbers(): () => number {
  let last = 1;
  return () => (last = (last * 48_271) % 0x7fffffff) / 0x7fffffff;
}

/**
 * Creates three processes on one store, which is emptied first, with one service. `install` replaces the timers of
 * the platform.
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
  let copy: Parameters<typeof fillTables>[1] | null = null;
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
  const rows = () => operationsIn(store);
  const {
    act: actAsCustomer,
    sends,
    sendAllAgain,
    loseSends,
  } = createCustomers({ instances: running, rows, onError });

  async function startAt(place: number, aheadMs: number, isSetBack = false): Promise<void> {
    const instance = createInstance(around, aheadMs);
    running[place] = instance;
    if (isSetBack) await instance.doubt();
    await instance.start();
  }

  /** Checks that operations that had ended have not changed. */
  async function observe(): Promise<OperationRow[]> {
    const all = await rows();
    for (const row of all) {
      const end = ends.get(row.id);
      if (end !== undefined && end !== endOf(row))
        wrong.push(`changed after its end: ${end} to ${endOf(row)}`);
      if (isFinal(row)) ends.set(row.id, endOf(row));
      if (canRetry(row)) sends.find(({ key }) => key === row.key)!.mayBeLate = true;
    }
    return all;
  }

  function replace(place: number): void {
    const instance = running[place]!;
    instance.kill();
    void startAt(place, instance.aheadMs());
  }

  async function copyStore(): Promise<void> {
    copy = {
      tickets: await store.selectFrom('tickets').selectAll().execute(),
      grants: await store.selectFrom('grants').selectAll().execute(),
      operations: await rows(),
    };
  }

  async function setBack(): Promise<void> {
    // Without refs, equal tickets cannot be told apart, nor which of them a lost reply was for: a known gap.
    if (!copy || !hasFooter) return;
    const aheads = running.map((instance) => instance.aheadMs());
    for (const instance of running) instance.kill();
    await time.settle();
    const before = await rows();
    await fillTables(store, copy);
    ends.clear();
    loseSends(before, await rows());
    for (const [place, aheadMs] of aheads.entries()) await startAt(place, aheadMs, true);
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
      case 'lost answer':
        return running[step.at]!.loseAnswer(step.ms);
      case 'fill':
        return service.fill();
      case 'freeze':
        return running[step.at]!.freezeAt(step.point, step.ms);
      case 'kill':
        if (step.point === null) return replace(step.at);
        return running[step.at]!.callAt(step.point, () => replace(step.at));
      case 'copy':
        return copyStore();
      case 'set back':
        return setBack();
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

    /** Ends all faults, and lets time pass until nothing more happens by itself, or for this long. */
    async heal(forMs: number): Promise<void> {
      service.heal();
      for (const instance of running) instance.spare();
      for (let passed = 0; passed < forMs; passed += leaseMs) {
        await time.pass(leaseMs);
        const all = await observe();
        const isOver = all.every((row) => isAtRest(row, all));
        // A frozen process that resumes may still do harm.
        if (isOver && !running.some((instance) => instance.isFrozen())) return;
      }
    },

    /** Stops the processes. */
    async end(): Promise<Evidence> {
      const all = await observe();
      for (const instance of running) instance.kill();
      return { sends, rows: all, stored: service.tickets, wrong };
    },
  };
}
