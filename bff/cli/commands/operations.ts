import type { RefusalCode } from '../../contract/tickets.ts';
import { createLedgerList, type ListedState } from '../../delivery/operator.ts';
import { createDeps } from '../../deps.ts';
import { createLog } from '../../log/log.ts';
import { openMailer } from '../../mail/open-mailer.ts';
import { createMetrics } from '../../metrics/metrics.ts';
import type { OperationRow } from '../../store/schema.ts';
import { canRetry } from '../../tickets/operations.ts';
import { noTracer } from '../../tracing/tracer.ts';
import { createV1Client } from '../../v1/client.ts';
import { createKeyRing } from '../../v1/keys.ts';
import { readableAge } from '../terminal/ages.ts';
import type { Cli } from '../command.ts';
import { withStore } from '../open-store.ts';
import { type ExitCode, exitCodes } from '../terminal/output.ts';

export interface ListOptions {
  state: ListedState;
  limit: number;
  json?: boolean;
}

const isoTime = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

/** SECURITY: no text, no contact, and no key. With the key, anybody could read the operation. */
const facts = (row: OperationRow) => ({
  id: row.id,
  ref: row.ref,
  kind: row.kind,
  state: row.state,
  undecided: canRetry(row),
  error: row.error,
  attempts: row.attempts,
  created_at: isoTime(row.created_at),
  started_at: isoTime(row.started_at),
  next_at: isoTime(row.due_at),
  finished_at: isoTime(row.finished_at),
  ticket_id: row.ticket_id,
  ambiguous: row.ambiguous === 1,
  has_text: row.payload_sealed !== null,
});

const stateOf = (row: OperationRow) => (canRetry(row) ? `${row.state}, undecided` : row.state);

function missing({ out }: Cli, id: string): ExitCode {
  out.note(`there is no operation ${id}: deskside operations list has their ids`);
  return exitCodes.failure;
}

/** Lists operations of one state, the newest last. */
export const list = (cli: Cli, { state, limit, json = false }: ListOptions): Promise<ExitCode> =>
  withStore(cli, async ({ store, clock }) => {
    const rows = await createLedgerList({ store }).list(state, limit);
    if (json) cli.out.json(rows.map(facts));
    for (const row of json ? [] : rows) {
      const age = readableAge(clock.now() - row.created_at);
      const cells = [
        row.id,
        row.kind.padEnd(7),
        stateOf(row).padEnd(19),
        age.padEnd(6),
        `${row.attempts} attempts`,
      ];
      cli.out.line([...cells, row.error ?? ''].join('  ').trimEnd());
    }
    if (!json && rows.length === 0) cli.out.line('there are none');
    return exitCodes.ok;
  });

/** Shows one operation, found by its id or its ref. */
export const show = (cli: Cli, id: string, { json = false }: { json?: boolean }): Promise<ExitCode> =>
  withStore(cli, async ({ store }) => {
    const row = await createLedgerList({ store }).find(id);
    if (!row) return missing(cli, id);
    if (json) cli.out.json(facts(row));
    else
      for (const [name, value] of Object.entries(facts(row)))
        cli.out.line(`${name.padEnd(12)} ${value ?? '-'}`);
    return exitCodes.ok;
  });

/** Calls `act` with one operation and the modules that may change it. Nothing is sent from here. */
const change = (
  cli: Cli,
  id: string,
  act: (row: OperationRow, delivery: ReturnType<typeof createDeps>['delivery']) => Promise<ExitCode>,
): Promise<ExitCode> =>
  withStore(cli, async ({ config, store, seal, clock }) => {
    const row = await createLedgerList({ store }).find(id);
    if (!row) return missing(cli, id);
    const v1 = createV1Client({ ...config.upstream, ...clock, keys: createKeyRing(config.upstream) });
    const log = createLog('silent');
    const outside = {
      config,
      store,
      seal,
      v1,
      metrics: createMetrics(),
      tracer: noTracer,
      log,
      ownScripts: new Map(),
      articles: null,
      mailer: await openMailer(config, log),
      limitsFile: null,
      ...clock,
    };
    const { delivery, live, limits } = createDeps(outside);
    try {
      return await act(row, delivery);
    } finally {
      live.stop();
      limits.close();
      await v1.abort();
    }
  });

/** Like the customer's "Send again": looks at the service first. The running server sends it. */
export const retry = (cli: Cli, id: string): Promise<ExitCode> =>
  change(cli, id, async (row, delivery) => {
    if (!canRetry(row)) {
      const reason =
        row.state === 'rejected'
          ? 'the service has refused it, and the customer has been told'
          : row.state === 'done'
            ? 'it is delivered'
            : 'it is being tried without you';
      cli.out.note(`${row.id} cannot be sent again: ${reason}`);
      return exitCodes.failure;
    }
    const { state } = await delivery.retry(row);
    cli.out.line(
      state === 'done'
        ? `${row.id} was at the service already: it is done`
        : `${row.id} is ${state}: the running server sends it within half a minute`,
    );
    return exitCodes.ok;
  });

/** Rejects an operation that is not delivered, unless the ticket service has it. */
export const giveUp = (cli: Cli, id: string, { reason }: { reason: RefusalCode }): Promise<ExitCode> =>
  change(cli, id, async (row, delivery) => {
    const next = await delivery.giveUp(row, reason);
    if (next?.state === 'done') cli.out.line(`${row.id} was at the service already: it is done`);
    else if (next) cli.out.line(`${row.id} is given up: the customer is told ${reason}, and keeps the text`);
    else cli.out.note(`${row.id} cannot be given up: it is ${row.state}, or has changed meanwhile`);
    return next ? exitCodes.ok : exitCodes.failure;
  });
