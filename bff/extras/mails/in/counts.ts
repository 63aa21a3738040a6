import type { Store } from '../../../core/store/open.ts';

/** For `deskside status`. */
export async function mailCounts(store: Store): Promise<Record<string, number>> {
  const ofState = async (state: 'waiting' | 'aside') => {
    const { count } = await store
      .selectFrom('mails_in')
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .where('state', '=', state)
      .executeTakeFirstOrThrow();
    return Number(count);
  };
  const bounced = await store
    .selectFrom('silent_addresses')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('reason', '=', 'bounced')
    .executeTakeFirstOrThrow();
  return {
    mails_waiting: await ofState('waiting'),
    mails_set_aside: await ofState('aside'),
    addresses_bounced: Number(bounced.count),
  };
}
