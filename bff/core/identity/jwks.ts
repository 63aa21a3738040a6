import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey, type LocalJWKSet } from 'jose';
import { Agent, request } from 'undici';
import { AppError, LoggableError } from '../errors.ts';

const freshMs = 10 * 60_000;
const keepMs = 24 * 3_600_000;
/** The least time between two reads, so that tokens with made-up key ids cannot make us flood the site. */
const pauseMs = 30_000;
/** Shorter without any keys, since nobody can sign in then. */
const emptyPauseMs = 5_000;
const maxResponseSize = 64 * 1024;

interface KeySet {
  find: LocalJWKSet;
  ids: Set<unknown>;
  readAt: number;
}

/**
 * Finds the key that a token's header names in the key set at `url`. The set is read again after 10 minutes and for
 * an unknown `kid`. While it cannot be read, the last good set is used for a day.
 * @param options.elapsed milliseconds of a monotonic clock
 * @returns a function that throws `upstream_unavailable` when there is no set
 */
export function createJwks(options: {
  url: string;
  elapsed: () => number;
  timeoutMs?: number;
}): JWTVerifyGetKey {
  const { url, elapsed, timeoutMs = 5_000 } = options;
  const agent = new Agent({ connect: { timeout: timeoutMs }, maxResponseSize, pipelining: 0 });
  let cached: KeySet | null = null;
  let failure: unknown;
  let nextReadAt = 0;
  let reading: Promise<void> | null = null;

  async function read(): Promise<void> {
    try {
      const find = createLocalJWKSet(await fetchKeySet());
      cached = { find, ids: new Set(find.jwks().keys.map(({ kid }) => kid)), readAt: elapsed() };
    } catch (error) {
      failure = error;
    }
    nextReadAt = elapsed() + (cached ? pauseMs : emptyPauseMs);
  }

  async function fetchKeySet(): Promise<JSONWebKeySet> {
    const { statusCode, body } = await request(url, {
      dispatcher: agent,
      headers: { accept: 'application/json', 'accept-encoding': 'identity' },
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (statusCode !== 200) {
      body.on('error', () => {}).destroy();
      throw new LoggableError(`the key set answered ${statusCode}`);
    }
    return JSON.parse(await body.text()) as JSONWebKeySet;
  }

  const isToBeRead = (kid: string) => !cached || cached.readAt + freshMs <= elapsed() || !cached.ids.has(kid);

  return async ({ alg, kid }) => {
    if (!kid) throw new errors.JWKSNoMatchingKey();
    if (isToBeRead(kid) && nextReadAt <= elapsed())
      await (reading ??= read().finally(() => {
        reading = null;
      }));
    if (!cached || cached.readAt + keepMs <= elapsed())
      throw new AppError('upstream_unavailable', { cause: failure });
    return cached.find({ alg, kid });
  };
}
