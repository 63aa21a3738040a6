import { together } from '../../together.ts';
import { codeOf, UnreachableError } from '../errors.ts';

/**
 * How many statements of one query run at a time. Thousands of streams that come back together would take all connections
 * of the pool for longer than others wait for one. So the longer the database takes, the more calls share a statement.
 */
export const atOnce = 4;

/** The server refuses a value, or a row that is there, or has preferred another transaction. */
const isOfOneCall = (error: unknown) => /^(22|23|40)/.test(codeOf(error));

/**
 * `together` for statements. If the server refuses what several calls ask for, each of them runs alone: one refusal must not
 * fail the others.
 */
export function shareStatements<Item, Result>(run: (items: Item[]) => Promise<readonly Result[]>) {
  return together(
    async (items: Item[]): Promise<readonly (Result | Promise<Result>)[]> => {
      try {
        return await run(items);
      } catch (error) {
        if (!isOfOneCall(error) || items.length === 1) throw error;
        return items.map(async (item) => (await run([item]))[0]!);
      }
    },
    { atOnce, isAway: (error) => error instanceof UnreachableError },
  ) as (item: Item) => Promise<Result>;
}
