import type { Output } from './output.ts';

/** What every command is given. */
export interface Cli {
  /** The settings, as text. */
  env: Record<string, string | undefined>;
  out: Output;
}
