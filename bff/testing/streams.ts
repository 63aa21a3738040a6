import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { createAdaptorServer } from '@hono/node-server';
import { expect, vi } from 'vitest';
import { gateHeader, paths } from '../../shared/contract/paths.ts';
import type { TestBff } from './bff.ts';

interface Seen {
  name: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read whatever shape they expect
  data: any;
}

/** Long, for a busy machine. An event that never comes still fails. */
export const until = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 60_000 });

/** The headers that the gate requires, and the session's cookie. */
export const headersFor = (cookie: string) => ({
  Cookie: cookie,
  'Sec-Fetch-Site': 'same-origin',
  [gateHeader]: '1',
});

/** Serves the BFF on a real port, since streams are written to the raw response. Stops with the BFF, or before. */
export async function startStreams(bff: TestBff) {
  const server = createAdaptorServer({ fetch: bff.app.fetch });
  const open: AbortController[] = [];
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const streams = {
    origin,

    /** The number of open connections. */
    connections: () => promisify(server.getConnections.bind(server))(),

    /**
     * Opens a stream. Returns its status, and its events as they come; without a session there are none. Resolves when
     * it has begun or has ended.
     */
    async listen(cookie: string, thread = '', after: string | null = '') {
      const stop = new AbortController();
      open.push(stop);
      const query = new URLSearchParams({ ...(thread && { thread }), ...(after !== null && { after }) });
      const response = await fetch(`${origin}${paths.events}?${query.toString()}`, {
        headers: headersFor(cookie),
        signal: stop.signal,
      });
      const seen: Seen[] = [];
      let isOpen = response.ok;
      const ended = (async () => {
        let rest = '';
        for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
          const parts = (rest + chunk).split('\n\n');
          rest = parts.pop()!;
          for (const part of parts) {
            const [, name, data] = /^event: ([\w-]+)\ndata: (.*)$/.exec(part) ?? [];
            if (name) seen.push({ name, data: JSON.parse(data!) });
          }
        }
      })()
        .catch(() => {})
        .finally(() => {
          isOpen = false;
        });
      const of = (name: string) => seen.filter((event) => event.name === name).map(({ data }) => data);
      await until(() => expect(isOpen && of('sync').length === 0).toBe(false));
      return {
        status: response.status,
        headers: response.headers,
        seen,
        of,
        ended,
        isOpen: () => isOpen,
        stop: () => stop.abort(),
      };
    },

    async stop() {
      for (const stream of open.splice(0)) stream.abort();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  bff.users.push(streams);
  return streams;
}

export type TestStreams = Awaited<ReturnType<typeof startStreams>>;
