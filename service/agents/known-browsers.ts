import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Db } from '../db/open.ts';

/** The key is the hash of the agent's password: a mark is valid for this agent only, until the password changes. */
function signatureOf(db: Db, email: string, id: string): Buffer | null {
  const agent = db
    .prepare<[string], { password_hash: string }>('SELECT password_hash FROM agents WHERE email_folded = ?')
    .get(email.toLowerCase());
  return agent ? createHmac('sha256', agent.password_hash).update(`known browser ${id}`).digest() : null;
}

/** For a browser in which this agent has just signed in: `id.signature`. It gives no access. */
export function markBrowser(db: Db, email: string): string {
  const id = randomBytes(16).toString('base64url');
  return `${id}.${signatureOf(db, email, id)!.toString('base64url')}`;
}

/** The id in a mark that was made for this agent; null for any other text. */
export function readMark(db: Db, email: string, mark: string): string | null {
  const [id = '', signature = ''] = mark.split('.');
  const expected = signatureOf(db, email, id);
  const given = Buffer.from(signature, 'base64url');
  return expected?.length === given.length && timingSafeEqual(expected, given) ? id : null;
}
