import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestStore } from '../../../testing/store/test-store.ts';
import type { Store } from '../open.ts';
import { prepare } from './prepared.ts';
import { runInOneBatch } from './transaction.ts';

let store: Store;
beforeEach(async () => {
  store = await openTestStore();
});
afterEach(() => store.destroy());

const subject = prepare((row: { id: string; at: number }) =>
  store
    .insertInto('subjects')
    .values({ id: row.id, verified: 0, created_at: row.at, visited_at: row.at })
    .returning(['id', 'created_at', 'contact_sealed']),
);
const session = prepare((row: { id: string; subjectId: string; at: number }) =>
  store
    .insertInto('sessions')
    .values({
      id: row.id,
      subject_id: row.subjectId,
      token_hash: row.id,
      created_at: row.at,
      seen_at: null,
      idle_ms: 1,
      expires_at: row.at,
    })
    .onConflict((conflict) => conflict.column('token_hash').doNothing())
    .returning('subject_id'),
);
const count = async () => (await store.selectFrom('subjects').select('id').execute()).length;
const at = 1_900_000_000_000;

describe('statements of one batch', () => {
  it('refer to rows of each other, and return what each of them wrote', async () => {
    const mine = subject.of({ id: 'mine', at });
    const written = await runInOneBatch(store, [mine, session.of({ id: 's', subjectId: 'mine', at })]);
    expect(written).toEqual([
      [{ id: 'mine', created_at: at, contact_sealed: null }],
      [{ subject_id: 'mine' }],
    ]);
    const again = await runInOneBatch(store, [
      subject.of({ id: 'other', at }),
      session.of({ id: 's', subjectId: 'other', at }),
    ]);
    expect(again).toEqual([[expect.objectContaining({ id: 'other' })], []]);
  });

  it('write nothing when one of them fails', async () => {
    const failing = session.of({ id: 's', subjectId: 'nobody', at });
    await expect(runInOneBatch(store, [subject.of({ id: 'mine', at }), failing])).rejects.toThrow(
      /foreign key/i,
    );
    expect(await count()).toBe(0);
  });

  it('belong to the transaction that they run in', async () => {
    const rolledBack = store.transaction().execute(async (trx) => {
      await runInOneBatch(trx, [subject.of({ id: 'mine', at }), subject.of({ id: 'other', at })]);
      throw new Error('changed my mind');
    });
    await expect(rolledBack).rejects.toThrow('changed my mind');
    expect(await count()).toBe(0);
  });
});
