import type { Output } from './terminal/output.ts';

/** What every command is given. */
export interface Cli {
  /** The settings, as text. */
  env: Record<string, string | undefined>;
  out: Output;
  /** Asks the person at the terminal. Undefined when there is no terminal. A secret answer is not shown. */
  question?: ((text: string, isSecret: boolean) => Promise<string>) | undefined;
}
