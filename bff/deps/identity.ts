import { createCodes } from '../identity/codes.ts';
import { createHandoffs } from '../identity/handoffs.ts';
import { createIdentityTokens } from '../identity/token.ts';
import { batches } from '../limits/batches.ts';
import { createAddressSearch } from '../session/address-search.ts';
import { createSessions } from '../session/sessions.ts';
import { createSubjects } from '../session/subjects.ts';
import type { OnError, Outside } from './outside.ts';

/** Creates the modules that know who a customer is, and the ways to prove it. */
export function createIdentityModules({
  outside: { config, store, seal, now, elapsed },
  onError,
}: {
  outside: Pick<Outside, 'config' | 'store' | 'seal' | 'now' | 'elapsed'>;
  onError: OnError;
}) {
  const sessions = createSessions({
    store,
    seal,
    now,
    onUse: (subjectId) => subjects.markVisited(subjectId),
    onError,
  });
  const subjects = createSubjects({ store, seal, sessions, now });
  const addressSearch = createAddressSearch({ store, seal, limit: batches.contacts });
  const codes = createCodes({ store, seal, now });
  const handoffs = createHandoffs({ store, seal, now });
  const identityTokens = createIdentityTokens({
    ...config.identity,
    allowedIssuers: config.allowedOrigins,
    store,
    seal,
    now,
    elapsed,
  });
  return { sessions, subjects, addressSearch, codes, handoffs, identityTokens };
}

export type IdentityModules = ReturnType<typeof createIdentityModules>;
