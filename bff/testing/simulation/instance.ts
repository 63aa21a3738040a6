import { createDelivery } from '../../core/delivery/delivery.ts';
import type { SendRequest } from '../../core/delivery/record.ts';
import { createQueue } from '../../core/delivery/due.ts';
import { createSender } from '../../core/delivery/send.ts';
import { createWorker } from '../../core/delivery/worker.ts';
import type { Session } from '../../core/identity/sessions.ts';
import { UnreachableError } from '../../core/store/errors.ts';
import type { Store } from '../../core/store/open.ts';
import type { OperationRow } from '../../core/store/schema.ts';
import type { Seal } from '../../core/store/seal.ts';
import { createOperations } from '../../core/tickets/operations.ts';
import { createThreads } from '../../core/tickets/threads.ts';
import { createTicketRecords } from '../../core/tickets/ticket-records.ts';
import { createTestLedger } from '../delivery/ledger.ts';
import { type ServiceModel, timeoutMs } from './service.ts';
import { createStops } from './stops.ts';
import { type SimulatedTime, startMs } from './time.ts';

export const leaseMs = 5 * timeoutMs;
export const settleMs = 60_000;

/** The objects that all instances of one simulation share. */
export interface Surroundings {
  store: Store;
  seal: Seal;
  time: SimulatedTime;
  service: ServiceModel;
  hasFooter: boolean;
  /** 0 to 1. */
  random: () => number;
  /** Called with each change of a row by the ledger, and with the row as it was given. */
  onChange: (given: OperationRow, changed: OperationRow) => void;
  onError: (error: unknown) => void;
}

/** The calls at which an instance can be stopped. Code between them is never interrupted. */
export const points = [
  'before accept',
  'after accept',
  'before claim',
  'after claim',
  'after write',
  'before record',
  'after record',
  'before lease',
  'after lease',
  'after read',
  'after taken ids',
  'after poll',
] as const;
export type Point = (typeof points)[number];

type AsyncCall = (...args: never[]) => Promise<unknown>;

/**
 * The delivery modules of one process, with their own clocks. It can be frozen or killed, at once or at one of the
 * points. Then none of its calls continues.
 */
export function createInstance(around: Surroundings, aheadAtStartMs: number) {
  const { store, seal, time, service, hasFooter, random, onChange, onError } = around;
  const bornAt = time.now();
  let aheadMs = aheadAtStartMs;
  const stops = createStops(time);
  const { pass } = stops;
  /** How long the store commits the next send after its answer was lost. Null: no answer is lost. */
  let commitsAfterMs: number | null = null;
  const clock = { now: () => startMs + time.now() + aheadMs, elapsed: () => time.now() - bornAt };

  /** Wraps a call so that the process can be stopped before and after it. */
  function stoppable<Call extends AsyncCall>(
    name: string,
    call: Call,
    track = <Result>(work: Promise<Result>) => time.during(work),
  ): Call {
    return (async (...args: Parameters<Call>) => {
      await pass(`before ${name}`);
      const result = await track(call(...args));
      await pass(`after ${name}`);
      return result;
    }) as Call;
  }

  function answeredOrNot<Call extends AsyncCall>(call: Call): Call {
    return (async (...args: Parameters<Call>) => {
      if (commitsAfterMs === null) return call(...args);
      const afterMs = commitsAfterMs;
      commitsAfterMs = null;
      if (afterMs === 0) await call(...args);
      // The store refuses it when another request with the key was first.
      else void time.sleep(afterMs).then(() => time.during(call(...args)).catch(() => {}));
      throw new UnreachableError(new Error('the connection broke'));
    }) as Call;
  }

  /** Only the simulated time waits for requests that are on their way to the service. */
  function client() {
    const v1 = service.clientOf(clock);
    const asked = <Call extends AsyncCall>(name: string, call: Call): Call =>
      (async (...args: Parameters<Call>) => {
        // A request leaves as soon as it is decided. A freeze at that moment is a known gap.
        if (stops.isDead()) await new Promise(() => {});
        const result = await call(...args);
        await pass(`after ${name}`);
        return result;
      }) as Call;
    return {
      ...v1,
      createTicket: asked('write', v1.createTicket),
      addMessage: asked('write', v1.addMessage),
      getTicket: asked('read', v1.getTicket),
      listTickets: asked('read', v1.listTickets),
    };
  }

  const common = { store, seal, ...clock };
  const v1 = client();
  const real = createTestLedger({ ...common, settleMs, leaseMs, random });
  const noted =
    <More extends unknown[], Changed extends OperationRow>(
      call: (row: OperationRow, ...more: More) => Promise<Changed | null>,
    ) =>
    async (row: OperationRow, ...more: More) => {
      const changed = await call(row, ...more);
      if (changed) onChange(row, changed);
      return changed;
    };
  const ledger: typeof real = {
    ...real,
    record: stoppable('accept', answeredOrNot(real.record)),
    claim: stoppable('claim', noted(real.claim)),
    lease: stoppable('lease', noted(real.lease)),
    move: stoppable('record', noted(real.move)),
    takenIds: stoppable('taken ids', real.takenIds),
    bringForward: stoppable('bring forward', real.bringForward),
    doubtUnsent: stoppable('doubt', real.doubtUnsent),
  };
  const records = createTicketRecords(common);
  const threads = createThreads({
    records: {
      ...records,
      save: stoppable('save', records.save),
      close: stoppable('close', records.close),
    },
    v1,
    ...clock,
    onError,
  });
  const sender = createSender({ v1, ledger, seal, threads, hasFooter, ...clock });
  const queue = createQueue({ store });
  const worker = createWorker({
    ledger,
    queue: {
      ...queue,
      poll: stoppable('poll', queue.poll),
      abandoned: stoppable('poll', queue.abandoned),
    },
    sender,
    operations: createOperations(store),
    durations: { observe: () => {} },
    ...clock,
    onJump: () => {},
    onError,
  });
  const delivery = createDelivery({
    ledger,
    worker,
    sender,
    sessions: {} as never,
    subjects: {} as never,
  });

  return {
    start: () => worker.start(),
    poll: () => worker.poll(),
    doubt: () => ledger.doubtUnsent(),
    /** Reads a conversation for its customer. */
    show: (ticketId: string) => threads.refresh(ticketId),
    retry: (row: OperationRow) => delivery.retry(row),

    /** Records a customer's message, and sends it. */
    async send(session: Session, key: string, request: SendRequest): Promise<void> {
      const options =
        request.kind === 'ticket'
          ? {
              openedUnder: {
                email: request.payload.customer_email,
                addressHash: request.payload.customer_email,
                isProven: false,
              },
            }
          : {};
      const { row } = await ledger.record(session, key, request, options);
      await worker.follow(row, 0);
    },

    /** Freezes the instance for this long when it next reaches the point. */
    freezeAt: (point: Point, forMs: number) => stops.callAt(point, () => stops.freeze(forMs)),
    /** Lets the store lose its answer to the next send, and commit the send after this time. */
    loseAnswer: (ms: number) => void (commitsAfterMs = ms),
    /** Calls back when the instance next reaches the point. */
    callAt: (point: Point, call: () => void) => stops.callAt(point, call),
    /** Stops the instance for good. */
    kill(): void {
      stops.kill();
      void worker.stop();
    },
    isFrozen: stops.isFrozen,
    setClock: (ms: number) => void (aheadMs = ms),
    aheadMs: () => aheadMs,
    /** Cancels what was planned. */
    spare(): void {
      stops.spare();
      commitsAfterMs = null;
    },
  };
}

export type Instance = ReturnType<typeof createInstance>;
