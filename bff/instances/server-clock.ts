import { sql } from 'kysely';

/** The server's clock, in Unix milliseconds, so that those of the instances do not matter. */
export const serverNow = sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`;
