import { request } from 'undici';
import { gateHeader } from '../../shared/contract/paths.ts';

export interface Answer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

interface Question {
  method?: 'GET' | 'POST' | 'DELETE';
  headers?: Record<string, string>;
  body?: string;
  /** Timeout for the whole answer. */
  timeoutMs: number;
}

/** The headers that the frame sends, so that the gate of the API lets a request through. */
export const frameHeaders = {
  'sec-fetch-site': 'same-origin',
  [gateHeader]: '1',
  accept: 'application/json',
};

/**
 * Makes one request, without following redirects.
 * @throws when there is no complete answer in time
 */
export async function ask(url: string, { timeoutMs, headers = {}, ...more }: Question): Promise<Answer> {
  const {
    statusCode,
    headers: answered,
    body,
  } = await request(url, {
    ...more,
    headers: { 'accept-encoding': 'identity', ...headers },
    signal: AbortSignal.timeout(timeoutMs),
  });
  return { status: statusCode, headers: answered, text: await body.text() };
}

/** The value of a header. Several values are joined, and a missing header is empty. */
export const headerOf = ({ headers }: Pick<Answer, 'headers'>, name: string): string =>
  [headers[name] ?? []].flat().join(', ');

/** The body as JSON, or null when it is not JSON. */
export function jsonOf({ text }: Answer): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
