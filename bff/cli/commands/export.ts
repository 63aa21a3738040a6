import { type AddCommand, type Cli, type ExitCode, exitCodes } from '../../core/operator/command.ts';
import { withCore } from '../open-store.ts';

interface ExportOptions {
  email: string;
}

/** Prints what is stored under an address, as JSON. */
async function run(cli: Cli, { email }: ExportOptions): Promise<ExitCode> {
  const { out } = cli;
  const found = await withCore(cli, ({ operatorData }) => operatorData.export(email));
  if (found === null) {
    out.note('this is no e-mail address');
    return exitCodes.usage;
  }
  out.json(found);
  return exitCodes.ok;
}

export const exportCommand: AddCommand = (program, cli, onExit) => {
  program
    .command('export')
    .description('print what the store has of one person, as JSON')
    .requiredOption('--email <address>', 'whose; proven, or only typed')
    .action(async (options: ExportOptions) => {
      onExit(await run(cli, options));
    });
};
