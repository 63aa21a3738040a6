import { parseConfig } from '../../config.ts';
import { serve } from '../../serve.ts';
import type { Cli } from '../command.ts';
import { explain } from '../explain.ts';
import { exitCodes } from '../output.ts';

/** Undefined once the server runs. A server that cannot start ends with 1, whatever the reason. */
export async function run({ env, out }: Cli): Promise<typeof exitCodes.failure | undefined> {
  try {
    await serve(parseConfig(env));
  } catch (error) {
    out.note(`deskside: ${explain(error)}`);
    return exitCodes.failure;
  }
}
