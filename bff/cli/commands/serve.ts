import { parseConfig } from '../../config.ts';
import { serve } from '../../serve.ts';
import type { Cli } from '../command.ts';
import { explain } from '../explain.ts';
import { exitCodes } from '../terminal/output.ts';

/** Starts the server. Returns undefined once it runs, and 1 when it cannot start, for any reason. */
export async function run({ env, out }: Cli): Promise<typeof exitCodes.failure | undefined> {
  try {
    await serve(parseConfig(env));
  } catch (error) {
    out.note(`deskside: ${explain(error)}`);
    return exitCodes.failure;
  }
}
