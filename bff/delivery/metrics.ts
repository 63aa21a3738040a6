import type { Store } from '../store/open.ts';
import { isWritable } from '../store/writable.ts';

/** What operators watch of the ledger and its store, in the text format of Prometheus 0.0.4; counted from the rows themselves. */
export async function deliveryMetrics({ store, now }: { store: Store; now: () => number }): Promise<string> {
  const rows = await store
    .selectFrom('operations')
    .select(({ fn }) => ['kind', 'state', fn.countAll<number>().as('count')])
    .groupBy(['kind', 'state'])
    .execute();
  const undecided = await store
    .selectFrom('operations')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('state', 'in', ['accepted', 'unknown'])
    .where('due_at', 'is', null)
    .executeTakeFirstOrThrow();
  const ambiguous = await store
    .selectFrom('operations')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('state', '=', 'done')
    .where('ambiguous', '=', 1)
    .executeTakeFirstOrThrow();
  const oldest = await store
    .selectFrom('operations')
    .select(({ fn }) => fn.min('created_at').as('at'))
    .where(({ eb, or }) => or([eb('state', '=', 'sending'), eb('due_at', 'is not', null)]))
    .executeTakeFirstOrThrow();
  const ageSec = oldest.at === null ? 0 : Math.max(0, Math.round((now() - oldest.at) / 1000));
  const gauges: [name: string, help: string, ...samples: string[]][] = [
    [
      'deskside_operations',
      'Sends by kind and state.',
      ...rows.map(({ kind, state, count }) => `{kind="${kind}",state="${state}"} ${count}`),
    ],
    [
      'deskside_operations_undecided',
      'Sends that are not tried any more until their customer asks for it.',
      ` ${undecided.count}`,
    ],
    [
      'deskside_operations_ambiguous',
      'Sends found by reading where another message of the same text could have been it too.',
      ` ${ambiguous.count}`,
    ],
    [
      'deskside_oldest_undelivered_seconds',
      'Age of the oldest send that is still being tried.',
      ` ${ageSec}`,
    ],
    [
      'deskside_store_writable',
      'Whether the store takes writes: 0 while the disk is full, or the store locked or broken.',
      ` ${Number(await isWritable(store))}`,
    ],
  ];
  const lines = gauges.flatMap(([name, help, ...samples]) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} gauge`,
    ...samples.map((sample) => name + sample),
  ]);
  return `${lines.join('\n')}\n`;
}
