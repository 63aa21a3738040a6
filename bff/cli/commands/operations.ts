import { InvalidArgumentError, Option } from 'commander';
import { operationStates, refusalCodes, type RefusalCode } from '../../../shared/contract/tickets.ts';
import { isoTime } from '../../core/clock.ts';
import { type AddCommand, type Cli, type ExitCode, exitCodes } from '../../core/operator/command.ts';
import { createLedgerList, type ListedState } from '../../core/delivery/operator.ts';
import type { OperationRow } from '../../core/store/schema.ts';
import { canRetry } from '../../core/tickets/operations.ts';
import type { Core } from '../../core/wiring.ts';
import { withCore, withStore } from '../open-store.ts';

interface ListOptions {
  state: ListedState;
  limit: number;
  json?: boolean;
}

const units = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
] as const;

/** A length of time as an operator reads it: `3 h`, `12 s`. */
export function readableAge(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  const unit = units.find(([, length]) => seconds >= length);
  return unit ? `${Math.floor(seconds / unit[1])} ${unit[0]}` : `${seconds} s`;
}

const timeOf = (ms: number | null) => (ms === null ? null : isoTime(ms));

/** SECURITY: no text, no contact, and no key. With the key, anybody could read the operation. */
const facts = (row: OperationRow) => ({
  id: row.id,
  ref: row.ref,
  kind: row.kind,
  state: row.state,
  undecided: canRetry(row),
  error: row.error,
  attempts: row.attempts,
  created_at: timeOf(row.created_at),
  started_at: timeOf(row.started_at),
  next_at: timeOf(row.due_at),
  finished_at: timeOf(row.finished_at),
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
const list = (cli: Cli, { state, limit, json = false }: ListOptions): Promise<ExitCode> =>
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
const show = (cli: Cli, id: string, { json = false }: { json?: boolean }): Promise<ExitCode> =>
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
  act: (row: OperationRow, delivery: Core['delivery']) => Promise<ExitCode>,
): Promise<ExitCode> =>
  withCore(cli, async ({ store, delivery }) => {
    const row = await createLedgerList({ store }).find(id);
    return row ? act(row, delivery) : missing(cli, id);
  });

/** Like the customer's "Send again": looks at the service first. The running server sends it. */
const retry = (cli: Cli, id: string): Promise<ExitCode> =>
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
const giveUp = (cli: Cli, id: string, { reason }: { reason: RefusalCode }): Promise<ExitCode> =>
  change(cli, id, async (row, delivery) => {
    const next = await delivery.giveUp(row, reason);
    if (next?.state === 'done') cli.out.line(`${row.id} was at the service already: it is done`);
    else if (next) cli.out.line(`${row.id} is given up: the customer is told ${reason}, and keeps the text`);
    else cli.out.note(`${row.id} cannot be given up: it is ${row.state}, or has changed meanwhile`);
    return next ? exitCodes.ok : exitCodes.failure;
  });

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1.');
  return Number(text);
}

export const operationsCommand: AddCommand = (program, cli, onExit) => {
  const operations = program.command('operations').description('the deliveries: list, show, retry, give up');
  operations
    .command('list')
    .description('what is not done, or is in another state')
    .addOption(
      new Option('--state <state>', 'only these')
        .choices([...operationStates, 'open', 'undecided'])
        .default('open', 'open: all but done'),
    )
    .addOption(new Option('--limit <number>', 'the newest of them').argParser(wholeNumber).default(100))
    .option('--json', 'print them as JSON')
    .action(async (options: ListOptions) => onExit(await list(cli, options)));
  operations
    .command('show')
    .description('one operation, without text and contact')
    .argument('<id>', 'its id, or its ref from the last line of a ticket')
    .option('--json', 'print it as JSON')
    .action(async (id: string, options: { json?: boolean }) => onExit(await show(cli, id, options)));
  operations
    .command('retry')
    .description('send one again that is undecided, unless the ticket service has it')
    .argument('<id>', 'its id or ref')
    .action(async (id: string) => onExit(await retry(cli, id)));
  operations
    .command('give-up')
    .description(
      'end one that is not delivered, unless the ticket service has it; the customer keeps the text',
    )
    .argument('<id>', 'its id or ref')
    .addOption(
      new Option('--reason <code>', 'what the customer is told').choices(refusalCodes).makeOptionMandatory(),
    )
    .action(async (id: string, options: { reason: RefusalCode }) => onExit(await giveUp(cli, id, options)));
};
