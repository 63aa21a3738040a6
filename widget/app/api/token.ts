import { sessionHeader } from '../../../bff/contract/paths.ts';

const name = 'session';
const probe = '__Host-deskside-probe';
const attributes = 'Secure; Path=/; SameSite=None; Partitioned';

interface TokenStore {
  read: (name: string) => unknown;
  write: (name: string, value: unknown) => unknown;
  remove: (name: string) => void;
}

/**
 * Whether a cookie in the shape of the session's sticks here: not where third-party cookies are blocked without
 * partitions, nor on plain HTTP in Safari.
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

/** The session of a browser that keeps no cookie: a token, in the store that this tab alone sees. */
export function createToken(store: TokenStore, hasCookies: () => boolean = keepsCookie) {
  let isBearer: boolean | undefined;
  return {
    /** `mayBegin`: the request can create a session, so now it matters how the browser would keep it. */
    headers(mayBegin: boolean): Record<string, string> {
      const token = store.read(name) as string | null;
      if (mayBegin) isBearer ??= !hasCookies();
      return {
        ...((isBearer || token) && { [sessionHeader]: 'bearer' }),
        ...(token && { Authorization: `Bearer ${token}` }),
      };
    },
    /** Whether this tab has a session that the browser's other tabs do not. */
    isHeld: () => store.read(name) !== null,
    /** Takes what an answer carries beside its data. */
    keep(token: unknown) {
      if (typeof token === 'string') store.write(name, token);
    },
    /** Forgets the token of a request that was refused with it, unless a newer one has come meanwhile. */
    drop(sent: Record<string, string>) {
      if (sent['Authorization'] === `Bearer ${String(store.read(name))}`) store.remove(name);
    },
  };
}

export type SessionToken = ReturnType<typeof createToken>;
