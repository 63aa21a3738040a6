/** Any answer, or `status` 0 with a `failure` when there was none. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The body as JSON; undefined when it is not JSON. */
  json: unknown;
  failure: string | null;
}

export interface Call {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Sent as JSON. */
  body?: unknown;
  /** Sent unchanged, in place of `body`. */
  rawBody?: string;
  contentType?: string;
  /** Whole Authorization header; null sends none. */
  authorization?: string | null;
}

const timeoutMs = 30_000;
const maxWaits = 3;
const longestWaitMs = 60_000;

/** Calls a v1 service; never throws. Waits and calls again on 429, after which the service has done nothing. */
export function createClient(baseUrl: string, key: string) {
  return async (path: string, call: Call = {}): Promise<Answer> => {
    for (let waits = 0; ; waits += 1) {
      const answer = await callOnce(baseUrl + path, key, call);
      if (answer.status !== 429 || waits === maxWaits) return answer;
      const seconds = Number(answer.headers.get('retry-after') ?? 5);
      const waitMs = Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : 5000;
      await new Promise((resolve) => setTimeout(resolve, Math.min(waitMs, longestWaitMs)));
    }
  };
}

export type Client = ReturnType<typeof createClient>;

async function callOnce(url: string, key: string, call: Call): Promise<Answer> {
  const headers: Record<string, string> = { 'Content-Type': call.contentType ?? 'application/json' };
  const authorization = call.authorization === undefined ? `Bearer ${key}` : call.authorization;
  if (authorization !== null) headers['Authorization'] = authorization;
  const body = call.rawBody ?? (call.body === undefined ? null : JSON.stringify(call.body));
  try {
    const response = await fetch(url, {
      method: call.method ?? 'GET',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: parse(text), failure: null };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const failure = cause instanceof Error ? cause.message : String(cause);
    return { status: 0, headers: new Headers(), text: '', json: undefined, failure };
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The values of `json` under these names; undefined if one is missing. */
export function at(json: unknown, ...names: string[]): unknown {
  let value = json;
  for (const name of names) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

const shownLength = 120;

/** Describes an answer in one line. */
export function show(answer: Answer): string {
  if (answer.failure !== null) return `no answer (${answer.failure})`;
  const text = answer.text.replace(/\s+/g, ' ');
  const shown = text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;
  return `${answer.status}${shown === '' ? ', empty body' : ` ${shown}`}`;
}
