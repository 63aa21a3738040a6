import { request } from 'undici';
import { paths } from '../../../shared/contract/paths.ts';
import { sessionCookieName } from '../../core/http/base-path.ts';
import { checkHeader, checkProof, forwardedHeader } from '../../core/http/operator-check.ts';
import { createSessions } from '../../core/identity/sessions.ts';
import { createSubjects } from '../../core/identity/subjects.ts';
import { inspectPlace } from '../../core/store/inspect.ts';
import { openStore } from '../../core/store/open.ts';
import { createSeal } from '../../core/store/seal.ts';
import { readSecretKey } from '../../core/store/secret.ts';
import { type Answer, ask, frameHeaders, headerOf } from '../ask.ts';
import {
  type Check,
  type CheckContext,
  fail,
  type Finding,
  ok,
  once,
  skip,
} from '../../core/operator/check.ts';
import { schema } from '../../extras/index.ts';

const attributes = ['Secure', 'HttpOnly', 'SameSite=None', 'Path=/', 'Partitioned'];
const otherStore =
  'the BFF at PUBLIC_URL does not know this secret key or this store: check on its machine, with its settings';

/** Checks what browsers get at `PUBLIC_URL` with a session. The session is created in the store and removed again. */
export function publicSessionChecks({ config, now, patienceMs }: CheckContext): Check[] {
  const at = (path: string) => config().publicUrl + path;
  const cookieName = () => sessionCookieName(config().publicUrl);
  const sealed = once(() => createSeal(readSecretKey(config().secretKey, config().dataDir) ?? ''));

  /** Opening a store migrates it, and only the BFF should do that. */
  const isCurrent = async () => (await inspectPlace(config().place, schema))?.pending.length === 0;

  /** Calls `use` with the token of a session that exists only during the call. */
  async function withSession<T>(use: (token: string) => Promise<T>): Promise<T> {
    const store = await openStore(config().place, schema);
    const onError = () => {};
    const subjects = createSubjects({ store, seal: sealed(), now });
    const sessions = createSessions({ store, seal: sealed(), subjects, now, onError });
    const id = await subjects.create({ email: 'check@deskside.invalid', name: null });
    try {
      const { token } = await sessions.issue(id, { isSignedIn: false, isBearer: true });
      return await use(token);
    } finally {
      await subjects.forget(id);
      await store.destroy();
    }
  }

  const list = (headers: Record<string, string>) =>
    ask(at(paths.tickets), { headers: { ...frameHeaders, ...headers }, timeoutMs: patienceMs });

  /** The first event of a stream, while the stream is open. */
  async function firstEvent(token: string): Promise<Finding> {
    const stop = new AbortController();
    const late = setTimeout(() => stop.abort(), patienceMs);
    try {
      const { statusCode, body } = await request(at(paths.events), {
        headers: { ...frameHeaders, 'accept-encoding': 'identity', cookie: `${cookieName()}=${token}` },
        signal: stop.signal,
      });
      if (statusCode !== 200) return fail(`the stream answers status ${statusCode}`);
      let text = '';
      for await (const chunk of body) {
        text += String(chunk);
        if (text.includes('event: sync')) return ok('the first event arrives while the stream is open');
      }
      return fail('the stream ended before its first event');
    } catch (error) {
      if (stop.signal.aborted) return fail(`no event came within ${Math.round(patienceMs / 1_000)} s`);
      throw error;
    } finally {
      clearTimeout(late);
      stop.abort();
    }
  }

  function hops(answer: Answer): Finding {
    const [, entries, trusted] =
      /entries=(\d+); trusted=(\d+)/.exec(headerOf(answer, forwardedHeader.toLowerCase())) ?? [];
    if (entries === undefined) return skip(otherStore);
    if (entries === trusted)
      return ok(`${entries} proxies stand before the BFF, and TRUST_PROXY is ${trusted}`);
    const isMore = Number(entries) > Number(trusted);
    const consequence = isMore
      ? 'all customers share the limits of one address'
      : 'anybody can pretend to come from another address';
    return fail(
      `${entries} proxies add an address, and TRUST_PROXY is ${trusted}: ${consequence}`,
      isMore
        ? `Set TRUST_PROXY to ${entries}, and let each proxy add the address that it sees to X-Forwarded-For.`
        : `Let each proxy add the address that it sees to X-Forwarded-For, after those of the proxies before it. Only if no more than ${entries} stand before the BFF, set TRUST_PROXY to ${entries}.`,
    );
  }

  return [
    {
      name: 'public-hops',
      needs: ['public-gate', 'store-secret'],
      fix: 'Set TRUST_PROXY to the number of proxies.',
      async run() {
        const headers = { ...frameHeaders, [checkHeader]: checkProof(sealed().hash, now()) };
        return hops(await ask(at(paths.session), { headers, timeoutMs: patienceMs }));
      },
    },
    {
      name: 'public-set-cookie',
      needs: ['public-gate'],
      fix: 'Let the proxy pass Set-Cookie on as it is: no rewriting of names, domains, paths or flags.',
      async run() {
        // Signing out without a session changes nothing, and clears the cookie.
        const answer = await ask(at(paths.session), {
          method: 'DELETE',
          headers: frameHeaders,
          timeoutMs: patienceMs,
        });
        const cookie = [answer.headers['set-cookie'] ?? []]
          .flat()
          .find((line) => line.startsWith(`${cookieName()}=`));
        if (!cookie) return fail('no Set-Cookie arrives');
        const parts = new Set(cookie.split(';').map((part) => part.trim().toLowerCase()));
        const lost = attributes.filter((attribute) => !parts.has(attribute.toLowerCase()));
        return lost.length === 0
          ? ok('Set-Cookie arrives whole')
          : fail(`Set-Cookie has lost ${lost.join(', ')}`);
      },
    },
    {
      name: 'public-session',
      needs: ['public-gate', 'store-schema', 'store-secret', 'store-writable'],
      fix: 'Let the proxy pass the headers Cookie and Authorization on as they are.',
      async run() {
        if (!(await isCurrent())) return skip(otherStore);
        return withSession(async (token) => {
          if ((await list({ cookie: `${cookieName()}=${token}` })).status === 200)
            return ok('cookies reach the BFF');
          const isKnown = (await list({ authorization: `Bearer ${token}` })).status === 200;
          return isKnown ? fail('the cookie does not reach the BFF') : skip(otherStore);
        });
      },
    },
    {
      name: 'public-streams',
      needs: ['public-session'],
      fix: 'Turn off buffering of answers for /api/events (nginx: proxy_buffering off), and what compresses or scans them.',
      run: () => withSession(firstEvent),
    },
  ];
}
