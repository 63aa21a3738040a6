import { createHmac, type KeyObject, sign } from 'node:crypto';
import { onTestFinished } from 'vitest';
import type { Store } from '../core/store/open.ts';
import { openTestStore } from './store/test-store.ts';
import { createSeal } from '../core/store/seal.ts';

export const seal = createSeal('a secret of more than thirty-two characters');

/** A store of this test that knows these sessions. */
export async function storeWith(...sessionIds: string[]): Promise<Store> {
  const store = await openTestStore();
  onTestFinished(() => store.destroy());
  const subject = { contact_sealed: null, verified: 0, created_at: 0 };
  const session = { created_at: 0, seen_at: null, idle_ms: 1, expires_at: 1, attributes_sealed: null };
  for (const id of sessionIds) {
    await store
      .insertInto('subjects')
      .values({ id: `subject of ${id}`, ...subject })
      .execute();
    await store
      .insertInto('sessions')
      .values({ id, subject_id: `subject of ${id}`, token_hash: `hash of ${id}`, ...session })
      .execute();
  }
  return store;
}

type Signer = (input: Buffer) => Buffer;

/** Signs tokens in ways that no library allows. */
export const signers = {
  none: (): Buffer => Buffer.alloc(0),
  hmac:
    (secret: string): Signer =>
    (input) =>
      createHmac('sha256', secret).update(input).digest(),
  es256:
    (key: KeyObject): Signer =>
    (input) =>
      sign('sha256', input, { key, dsaEncoding: 'ieee-p1363' }),
  eddsa:
    (key: KeyObject): Signer =>
    (input) =>
      sign(null, input, key),
  rs256:
    (key: KeyObject): Signer =>
    (input) =>
      sign('sha256', input, key),
};

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A compact token of any header and payload. */
export function makeToken(header: object, payload: object, signer: Signer): string {
  const input = `${part(header)}.${part(payload)}`;
  return `${input}.${signer(Buffer.from(input)).toString('base64url')}`;
}
