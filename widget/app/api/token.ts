import { sessionHeader } from '../../../shared/contract/paths.ts';
import type { Store } from '../browser/storage.ts';

const name = 'session';
const probe = '__Host-deskside-probe';
const attributes = 'Secure; Path=/; SameSite=None; Partitioned';

/**
 * Whether the browser keeps a cookie with the session cookie's attributes. It does not where third-party cookies are
 * blocked without partitions, nor in Safari on plain HTTP.
 */
export function keepsCookie(): boolean {
  try {
    document.cookie = `${probe}=1; ${attributes}`;
    const isKept = document.cookie.includes(probe);
    document.cookie = `${probe}=; Max-Age=0; ${attributes}`;
    return isKept;
  } catch {
    return false;
  }
}

/** The session token of a browser that keeps no cookie, in the storage of this tab. */
export function createToken(
  store: Pick<Store, 'read' | 'write' | 'remove'>,
  hasCookies: () => boolean = keepsCookie,
) {
  let isBearer: boolean | undefined;
  return {
    /** `mayBegin`: the request can create a session, so it is checked whether the browser keeps a cookie. */
    headers(mayBegin: boolean): Record<string, string> {
      const token = store.read(name) as string | null;
      if (mayBegin) isBearer ??= !hasCookies();
      return {
        ...((isBearer || token) && { [sessionHeader]: 'bearer' }),
        ...(token && { Authorization: `Bearer ${token}` }),
      };
    },
    /** Whether this tab has a session of its own. */
    hasToken: () => store.read(name) !== null,
    /** Stores the token of an answer, if it has one. */
    keep(token: unknown) {
      if (typeof token === 'string') store.write(name, token);
    },
    /** Removes the token of a refused request, unless a newer one has been stored. `sent`: that request's headers. */
    drop(sent: Record<string, string>) {
      if (sent['Authorization'] === `Bearer ${String(store.read(name))}`) store.remove(name);
    },
  };
}

export type SessionToken = ReturnType<typeof createToken>;
