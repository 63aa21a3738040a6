import { type Command, InvalidArgumentError, Option } from 'commander';
import { operationStates, type RefusalCode, refusalCodes } from '../contract/tickets.ts';
import type { Cli } from './command.ts';
import type { ListOptions } from './commands/operations.ts';
import type { OnExit } from './terminal/output.ts';

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1.');
  return Number(text);
}

/** Names, options and help texts of `deskside operations`. */
export function addOperationCommands(program: Command, cli: Cli, onExit: OnExit): void {
  const operations = program.command('operations').description('the deliveries: list, show, retry, give up');
  operations
    .command('list')
    .description('what is not done, or is in another state')
    .addOption(
      new Option('--state <state>', 'only these')
        .choices([...operationStates, 'open', 'undecided'])
        .default('open', 'open: all but done'),
    )
    .addOption(
      new Option('--limit <number>', 'at most so many, the newest').argParser(wholeNumber).default(100),
    )
    .option('--json', 'print them as JSON')
    .action(async (options: ListOptions) => {
      const { list } = await import('./commands/operations.ts');
      onExit(await list(cli, options));
    });
  operations
    .command('show')
    .description('all that is known of one, but its text and contact')
    .argument('<id>', 'its id, or its ref from the last line of a ticket')
    .option('--json', 'print it as JSON')
    .action(async (id: string, options: { json?: boolean }) => {
      const { show } = await import('./commands/operations.ts');
      onExit(await show(cli, id, options));
    });
  operations
    .command('retry')
    .description('send one again that is undecided, unless the ticket service has it')
    .argument('<id>', 'its id or ref')
    .action(async (id: string) => {
      const { retry } = await import('./commands/operations.ts');
      onExit(await retry(cli, id));
    });
  operations
    .command('give-up')
    .description(
      'end one that is not delivered, unless the ticket service has it; the customer keeps the text',
    )
    .argument('<id>', 'its id or ref')
    .addOption(
      new Option('--reason <code>', 'what the customer is told').choices(refusalCodes).makeOptionMandatory(),
    )
    .action(async (id: string, options: { reason: RefusalCode }) => {
      const { giveUp } = await import('./commands/operations.ts');
      onExit(await giveUp(cli, id, options));
    });
}
