import { type AddCommand, type Cli, exitCodes, explain } from '../../core/operator/command.ts';
import { misspelt, parseConfig } from '../../config.ts';
import { serve } from '../../serve.ts';
import { parseSites } from '../../sites.ts';

/** Starts the server. Returns undefined once it runs, and 1 when it cannot start, for any reason. */
async function run({ env, out }: Cli): Promise<typeof exitCodes.failure | undefined> {
  try {
    await serve(parseConfig(env), parseSites(env), misspelt(env));
  } catch (error) {
    out.note(`deskside: ${explain(error)}`);
    return exitCodes.failure;
  }
}

export const serveCommand: AddCommand = (program, cli, onExit) => {
  program
    .command('serve', { isDefault: true })
    .description('run the server; what is done without a command')
    .usage('')
    // An unknown command is passed as this argument.
    .argument('[unknown]')
    .action(async (unknown: string | undefined) => {
      if (unknown !== undefined) program.error(`error: unknown command '${unknown}'`);
      onExit(await run(cli));
    });
};
