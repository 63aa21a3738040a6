import { randomUUID } from 'node:crypto';
import type { createApp } from '../app.ts';
import { gateHeader, idempotencyHeader, paths, sessionHeader } from '../../shared/contract/paths.ts';
import type { NewTicket } from '../../shared/contract/tickets.ts';

export const ticketBody: Omit<NewTicket, 'form' | 'files'> = {
  subject: 'The lid is chipped',
  description: 'It came like this.\nWhat now?',
  customer_email: 'ada@example.com',
  customer_name: 'Ada',
};

interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // oxlint-disable typescript/no-explicit-any -- tests read whatever shape they expect
  data: any;
  error: any;
  // oxlint-enable typescript/no-explicit-any
}

let browsers = 0;
/** Every browser has another address, unless a test gives one. */
const newAddress = () => `10.${(browsers >> 16) & 255}.${(browsers >> 8) & 255}.${browsers++ & 255}`;

/** A browser that keeps its cookie, or its token when `isBearer`, and sends what the gate requires. */
export function createBrowser(
  app: ReturnType<typeof createApp>,
  { address = newAddress(), isBearer = false }: { address?: string; isBearer?: boolean } = {},
) {
  const browser = {
    cookie: '',
    token: '',
    async request(
      method: string,
      path: string,
      body?: unknown,
      headers: Record<string, string> = {},
    ): Promise<Answer> {
      const response = await app.request(path, {
        method,
        headers: {
          'Sec-Fetch-Site': 'same-origin',
          'X-Forwarded-For': address,
          [gateHeader]: '1',
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...(browser.cookie ? { Cookie: browser.cookie } : {}),
          ...(isBearer ? { [sessionHeader]: 'bearer' } : {}),
          ...(browser.token ? { Authorization: `Bearer ${browser.token}` } : {}),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const cookie = response.headers.get('set-cookie');
      if (cookie) browser.cookie = /max-age=0/i.test(cookie) ? '' : cookie.split(';')[0]!;
      const text = await response.text();
      const parsed = parse(text);
      browser.token = parsed.session_token ?? browser.token;
      return {
        data: undefined,
        error: undefined,
        ...parsed,
        status: response.status,
        headers: response.headers,
        text,
      };
    },
    get: (path: string) => browser.request('GET', path),
    post: (path: string, body: unknown, key: string = randomUUID()) =>
      browser.request('POST', path, body, { [idempotencyHeader]: key }),
    openTicket: (more: object = {}, key?: string) =>
      browser.post(paths.tickets, { ...ticketBody, ...more }, key),
  };
  return browser;
}

export type TestBrowser = ReturnType<typeof createBrowser>;

const parse = (text: string): { session_token?: string } => (text.startsWith('{') ? JSON.parse(text) : {});
