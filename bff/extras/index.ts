import type { Extra } from '../core/extra.ts';
import type { Part } from '../core/part.ts';
import { coreSchema, type Schema } from '../core/store/migrations.ts';
import type { Core } from '../core/wiring.ts';
import * as list from './list.ts';

/** In alphabetical order, in which the core calls them. */
export const extras: readonly Extra[] = Object.values(list);

/** The tables of the core and of all extras. */
export const schema: Schema = extras.reduce(
  (all, { schema: own }) => ({
    migrations: { ...all.migrations, ...own?.migrations },
    keys: { ...all.keys, ...own?.keys },
    large: [...(all.large ?? []), ...(own?.large ?? [])],
  }),
  coreSchema,
);

/**
 * Creates the extras that the operator's settings ask for, and adds them to `parts`, the list that the core calls.
 * @param isServer false for a command of the operator
 * @returns the parts by the name of their extra
 */
export async function addExtras(
  core: Core,
  parts: Part[],
  isServer = true,
): Promise<ReadonlyMap<string, Part>> {
  const created = new Map<string, Part>();
  for (const extra of extras) {
    if (extra.isForServer && !isServer) continue;
    const part = await extra.create(core);
    if (!part) continue;
    created.set(extra.name, part);
    parts.push(part);
  }
  return created;
}
