import type { Check, CheckContext } from './operator/check.ts';
import type { AddCommand } from './operator/command.ts';
import type { Part } from './part.ts';
import type { SettingGroup } from './settings/settings.ts';
import type { Schema } from './store/migrations.ts';
import type { Store } from './store/open.ts';
import type { Core } from './wiring.ts';

/** A part of the BFF that the core can do without. It uses the core, and the core knows only `Part`. */
export interface Extra {
  name: string;
  settings?: SettingGroup;
  /** Its tables. They are in every store, also where the settings leave the extra out. */
  schema?: Schema;
  /** Folders in `DATA_DIR` that belong to the store, and go with it into a backup. */
  folders?: readonly string[];
  /** Adds its command to the command line. The last argument opens the core for one command, and starts nothing. */
  addCommand?: (
    ...given: [...Parameters<AddCommand>, <T>(use: (core: Core) => Promise<T>) => Promise<T>]
  ) => void;
  /** What `deskside status` counts, by what it is, such as `mails_set_aside`. */
  status?: (store: Store) => Promise<Record<string, number>>;
  /** What `deskside check` tries. */
  checks?: (context: CheckContext) => Check[];
  /** Only the server creates it. A command of the operator does not, and so does not fail where that is impossible. */
  isForServer?: true;
  /** Creates the part, and starts nothing. Null where the operator's settings leave it out. */
  create(core: Core): Part | null | Promise<Part | null>;
}
