import { expect, it } from 'vitest';
import { addFooter } from '../core/tickets/footer.ts';
import { leaksOf } from './leaks.ts';

const pageUrl = 'https://shop.example/orders/ada';
const ref = 'DS-0123456789AB';

/** The leaks in one log line, after a ticket was opened on that page. */
const leaksOfLine = (line: string) =>
  leaksOf({
    logLines: [line],
    metrics: { registry: { metrics: async () => '' } } as never,
    service: {
      calls: [
        {
          method: 'POST',
          path: '/tickets',
          body: { description: addFooter('The lid is chipped', { isVerified: false, pageUrl, ref }) },
          headers: {},
        },
      ],
      tickets: new Map(),
    },
  });

it.each(['The lid is chipped', pageUrl])('a log line with %j of a ticket is a leak', async (text) => {
  expect(await leaksOfLine(`{"msg":"${text}"}`)).toHaveLength(1);
});

it('a log line with the ref of a send is no leak', async () => {
  expect(await leaksOfLine(`{"msg":"sent","ref":"${ref}"}`)).toEqual([]);
});
