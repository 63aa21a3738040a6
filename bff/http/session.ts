import { AppError } from '../errors.ts';
import type { Session } from '../session/sessions.ts';
import type { Grant, Grants } from '../tickets/grants.ts';
import type { AppContext } from './context.ts';

/** @throws {AppError} `unauthenticated` */
export function mySession(c: AppContext): Session {
  const session = c.get('session');
  if (!session) throw new AppError('unauthenticated');
  return session;
}

/**
 * The session's grant for the ticket in the path.
 * @throws {AppError} the same `not_found` for a foreign, an unknown and a malformed id
 */
export async function myGrant(c: AppContext, grants: Grants): Promise<Grant> {
  const grant = await grants.find(mySession(c).subjectId, c.req.param('id') ?? '');
  if (!grant) throw new AppError('not_found');
  return grant;
}
