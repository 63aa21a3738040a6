import { expect, it } from 'vitest';
import type { OperationRow } from '../store/schema.ts';
import type { V1Client } from '../v1/client.ts';
import { lookForTicket } from './settle.ts';

it.each([
  ['proven absent if the service told the time of its attempt', Date.UTC(2026, 0, 1), true],
  [
    'not proven absent if only a wall clock told that time: another process may have another one',
    null,
    false,
  ],
])('a ticket behind fifty newer ones is %s', async (_, startedThere, proves) => {
  const sentAt = Date.UTC(2026, 0, 1);
  const ticket = { subject: 'Lid', description: 'Chipped', customer_email: 'ada@example.com' };
  const entries = Array.from({ length: 50 }, (__, n) => ({
    id: `t${n}`,
    subject: 'Other',
    description: 'Other',
    created_at: new Date(sentAt - 10_000).toISOString(),
  }));
  const list = { ok: true, data: { entries, isWhole: true, limit: 50 }, serverTime: sentAt + 80_000 };
  const verdict = await lookForTicket(
    {
      v1: { listTickets: async () => list } as Partial<V1Client> as V1Client,
      ledger: {
        takenIds: async () => new Set(),
        attemptAgeMs: () => 70_000,
      },
      now: () => sentAt - 7_200_000,
    },
    { started_at: sentAt, started_there: startedThere, ref: 'DS-1' } as OperationRow,
    ticket,
  );
  expect(verdict).toEqual({ type: 'absent', proves, ageMs: 70_000 });
});
