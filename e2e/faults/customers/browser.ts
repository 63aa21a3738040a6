import { Readable } from 'node:stream';
import { type Dispatcher, request } from 'undici';
import { fileNameHeader } from '../../../shared/contract/files.ts';
import { gateHeader, idempotencyHeader } from '../../../shared/contract/paths.ts';
import { startTime, type Time } from '../time/time.ts';

/** An answer of the BFF, as defined by the contract; `data` has the shape of the call, `error` its code. */
export interface BffAnswer<T> {
  status: number;
  /** The time of the request by `performance.now()`. The answer is not older. */
  askedAt: number;
  data?: T;
  error?: string;
}

const patienceMs = 60_000;

/** The content of a file. `isCut`: the connection breaks in the middle. */
export interface Content {
  name: string;
  text: string;
  isCut: boolean;
}

function* firstHalf(text: string) {
  yield text.slice(0, text.length / 2);
  throw new Error('the connection is cut');
}

/**
 * The browser of one customer. It sends the headers that the gate requires and stores the cookie. `address`: the client
 * address of its requests.
 */
export function createBrowser(options: {
  /** Null while the BFF is down. */
  bffUrl: () => string | null;
  address: string;
  /** By default real time. */
  time?: Time;
  dispatcher: Dispatcher;
}) {
  const { bffUrl, address, time = startTime(), dispatcher } = options;
  let cookie = '';

  const headers = (): Record<string, string> => ({
    'sec-fetch-site': 'same-origin',
    'x-forwarded-for': address,
    [gateHeader]: '1',
    ...(cookie ? { cookie } : {}),
  });

  /** Null without an answer: the BFF is down or died, or the page was closed after `leaveAfterMs`. */
  async function ask<T>(
    method: 'GET' | 'POST',
    path: string,
    {
      body,
      file,
      key,
      leaveAfterMs = patienceMs,
    }: { body?: object; file?: Content; key?: string; leaveAfterMs?: number } = {},
  ): Promise<BffAnswer<T> | null> {
    const url = bffUrl();
    if (!url) return null;
    const askedAt = performance.now();
    const left = new AbortController();
    const answered = new AbortController();
    time.sleep(leaveAfterMs, answered.signal).then(
      () => left.abort(),
      () => undefined,
    );
    try {
      const response = await request(url + path, {
        method,
        dispatcher,
        signal: left.signal,
        headers: {
          ...headers(),
          ...(key ? { [idempotencyHeader]: key } : {}),
          ...(body ? { 'content-type': 'application/json' } : {}),
          ...(file ? { [fileNameHeader]: file.name, 'content-length': String(file.text.length) } : {}),
        },
        body: file
          ? file.isCut
            ? Readable.from(firstHalf(file.text))
            : file.text
          : body
            ? JSON.stringify(body)
            : null,
      });
      const set = response.headers['set-cookie'];
      const { data, error } = (await response.body.json()) as { data?: T; error?: { code: string } };
      if (set) cookie = String(set).split(';')[0]!;
      return {
        status: response.statusCode,
        askedAt,
        ...(data === undefined ? {} : { data }),
        ...(error ? { error: error.code } : {}),
      };
    } catch {
      return null;
    } finally {
      answered.abort();
    }
  }

  return {
    ask,
    /** The headers of its next request. */
    headers,
  };
}

export type Browser = ReturnType<typeof createBrowser>;
