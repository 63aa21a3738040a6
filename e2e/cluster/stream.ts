import { setTimeout as sleep } from 'node:timers/promises';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { type Dispatcher, request } from 'undici';
import type { ServerEvents } from '../../shared/contract/events.ts';
import { paths } from '../../shared/contract/paths.ts';
import type { Message } from '../../shared/contract/tickets.ts';

/** A stream that is silent for this long counts as broken, as in the app. */
const silentMs = 45_000;
const headersMs = 10_000;
const firstPauseMs = 500;
const longestPauseMs = 8_000;

export interface StreamLog {
  /** Each connection from its `sync` on, with the ids of the agent's messages that it brought; times of `performance.now()`. */
  lives: { fromMs: number; toMs: number; received: Set<string> }[];
  /** By the id of an agent's message: when it first came. */
  receivedAt: Map<string, number>;
}

export const newStreamLog = (): StreamLog => ({ lives: [], receivedAt: new Map() });

/**
 * Keeps a stream with this conversation on screen until `signal` is aborted, and records what arrives.
 * @param onText gets each event as it arrived
 */
export async function keepStream(options: {
  url: string;
  ticketId: string;
  headers: () => Record<string, string>;
  dispatcher: Dispatcher;
  signal: AbortSignal;
  log: StreamLog;
  onText: (text: string) => void;
}): Promise<void> {
  const { url, ticketId, headers, dispatcher, signal, log, onText } = options;
  let newest = '';

  function record(messages: readonly Message[]): void {
    for (const { id, author_type: author } of messages) {
      if (id === null || author !== 'agent') continue;
      newest = id;
      if (!log.receivedAt.has(id)) log.receivedAt.set(id, performance.now());
      log.lives.at(-1)!.received.add(id);
    }
  }

  function onEvent({ event, data }: EventSourceMessage): void {
    onText(data);
    if (event === 'sync') {
      const { thread } = JSON.parse(data) as ServerEvents['sync'];
      if (!isOpen) {
        isOpen = true;
        log.lives.push({ fromMs: performance.now(), toMs: Infinity, received: new Set() });
      }
      record(thread?.messages ?? []);
    } else if (event === 'message') {
      const { ticket_id: id, message } = JSON.parse(data) as ServerEvents['message'];
      if (id === ticketId) record([message]);
    }
  }

  let isOpen = false;
  async function connect(): Promise<void> {
    isOpen = false;
    try {
      const query = new URLSearchParams({ thread: ticketId, after: newest });
      const { statusCode, body } = await request(`${url}${paths.events}?${query.toString()}`, {
        dispatcher,
        signal,
        headers: headers(),
        headersTimeout: headersMs,
        bodyTimeout: silentMs,
      });
      if (statusCode !== 200) return await body.dump();
      const parser = createParser({ onEvent });
      const decoder = new TextDecoder();
      for await (const bytes of body) parser.feed(decoder.decode(bytes as Buffer, { stream: true }));
    } catch (error) {
      // After every network failure it is opened again.
      if (error instanceof TypeError || error instanceof SyntaxError) throw error;
    } finally {
      if (isOpen) log.lives.at(-1)!.toMs = performance.now();
    }
  }

  let pauseMs = firstPauseMs;
  while (!signal.aborted) {
    await connect();
    pauseMs = isOpen ? firstPauseMs : Math.min(pauseMs * 2, longestPauseMs);
    await sleep(pauseMs * (1 + Math.random()), undefined, { signal }).catch(() => {});
  }
}
