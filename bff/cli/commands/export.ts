import type { Cli } from '../command.ts';
import { withOperatorData } from '../operator-data.ts';
import { type ExitCode, exitCodes } from '../terminal/output.ts';

export interface ExportOptions {
  email: string;
}

/** Prints what is stored under an address, as JSON. */
export async function run(cli: Cli, { email }: ExportOptions): Promise<ExitCode> {
  const { out } = cli;
  const found = await withOperatorData(cli, (data) => data.export(email));
  if (found === null) {
    out.note('this is no e-mail address');
    return exitCodes.usage;
  }
  out.json(found);
  return exitCodes.ok;
}
