import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { startBff } from '../../testing/bff.ts';
import { signedIn, withIdentity } from '../../testing/identity.ts';
import { startStreams, until } from '../../testing/streams.ts';

it('a colleague’s stream shows a ticket that was opened at another instance, its answer there, and ends with a right that ended there', async () => {
  // No ticket becomes due for a read during the test.
  const rareReads = { watchActiveMs: 600_000, watchIdleMs: 600_000 };
  const dataDir = randomUUID();
  const here = await startBff({ dataDir, ...withIdentity, ...rareReads });
  const there = await startBff({ dataDir, ...withIdentity, ...rareReads, beside: here });
  const streams = await startStreams(there);
  try {
    const ada = await signedIn(here, 'ada@example.com', { org: 'acme' });
    const bob = await signedIn(there, 'bob@example.com', { org: 'acme', org_tickets: true });
    const stream = await streams.listen(bob.cookie);
    const { data: ticket } = await ada.openTicket({ customer_email: 'ada@example.com' });
    await until(() => expect(JSON.stringify(stream.seen)).toContain(ticket.id));

    const reading = await streams.listen(bob.cookie, ticket.id);
    here.service.addMessage(ticket.id, 'agent', 'Invoice 4711');
    await here.live.hint(ticket.id);
    await until(() => expect(JSON.stringify(reading.of('message'))).toContain('Invoice 4711'));

    await signedIn(here, 'bob@example.com', { org: 'acme' });
    await Promise.all([stream.ended, reading.ended]);
    const again = await streams.listen(bob.cookie, ticket.id);
    expect(again.of('sync')[0]).toMatchObject({ tickets: [], thread: null });
  } finally {
    await streams.stop();
    await there.stop();
    await here.stop();
  }
});
