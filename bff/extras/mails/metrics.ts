import type { Declare } from '../../core/metrics/metrics.ts';
import type { Store } from '../../core/store/open.ts';

/**
 * Declares the metrics of mails, and returns those that are counted where it happens.
 * @param counts the mails that are due, and the tickets that are read for mails
 */
export function declareMails(
  { counter, gauge }: Declare,
  counts: () => Promise<{ due: number; followed: number }>,
) {
  gauge({
    name: 'deskside_ticket_mails_due',
    help: 'Mails about tickets that are due, and not sent yet.',
    async collect() {
      this.set((await counts()).due);
    },
  });
  gauge({
    name: 'deskside_followed_tickets',
    help: 'Tickets that are read now and then since their customers want a mail when an answer waits.',
    async collect() {
      this.set((await counts()).followed);
    },
  });
  return {
    mailsIn: counter({
      name: 'deskside_mails_in_total',
      help: 'Mails that came in, by result: taken or repeated when they came, then reply, open, tell, bounced, ignore or aside.',
      labelNames: ['result'],
    }),
    mails: counter({
      name: 'deskside_ticket_mails_total',
      help: 'Mails about tickets that were due, by kind and result.',
      labelNames: ['kind', 'result'],
    }),
    codes: counter({
      name: 'deskside_code_mails_total',
      help: 'Mails with a code, by result. A refused recipient counts as accepted, so that nobody learns of it.',
      labelNames: ['result'],
    }),
    repeats: counter({
      name: 'deskside_ticket_mail_repeats_total',
      help: 'Mails about tickets that were sent again since it was not known whether they had been taken; with the same Message-ID.',
    }),
  };
}

export type MailCounters = ReturnType<typeof declareMails>;

/** For `deskside status`. */
export async function mailCounts(store: Store): Promise<Record<string, number>> {
  const states = await store
    .selectFrom('mails_in')
    .select(({ fn }) => ['state', fn.countAll<number | string>().as('count')])
    .where('state', 'in', ['waiting', 'aside'])
    .groupBy('state')
    .execute();
  const bounced = await store
    .selectFrom('silent_addresses')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('reason', '=', 'bounced')
    .executeTakeFirstOrThrow();
  const countOf = (state: string) => Number(states.find((each) => each.state === state)?.count ?? 0);
  return {
    mails_waiting: countOf('waiting'),
    mails_set_aside: countOf('aside'),
    addresses_bounced: Number(bounced.count),
  };
}
