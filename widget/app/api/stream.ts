// Version 3.1 is twice as large, and this stream does not need its speed.
import { createParser } from 'eventsource-parser';
import { gateHeader } from '../../../shared/contract/paths.ts';
import { type ApiFailure, failure, readFailure } from './result.ts';
import { readEvent, type ServerEvent } from './shapes.ts';

/** Longer than two heartbeats: a stream that is silent for this long is dead. */
export const silenceMs = 45_000;

interface StreamOptions {
  send: typeof fetch;
  /** Headers of the session, if there is no cookie. */
  credentials: Record<string, string>;
  /** With the query. */
  path: string;
  onEvent: (event: ServerEvent) => void;
  signal: AbortSignal;
}

/**
 * Reads `GET /api/events` until it ends, falls silent or `signal` aborts; resolves to the reason. An exception of
 * `onEvent` is reported, and reading goes on.
 */
export async function readStream(options: StreamOptions): Promise<ApiFailure> {
  const { send, credentials, path, onEvent, signal } = options;
  const gone = failure('network').error;
  // The scripts may have loaded after the abort. Listeners that are added after an abort are not called.
  if (signal.aborted) return gone;
  const connection = new AbortController();
  const stop = () => connection.abort();
  signal.addEventListener('abort', stop);
  let watchdog = setTimeout(stop, silenceMs);
  const parser = createParser({
    onEvent({ event: name = '', data }) {
      const event = readEvent(name, data);
      if (!event || signal.aborted) return;
      try {
        onEvent(event);
      } catch (error) {
        // The events after it are still delivered.
        reportError(error);
      }
    },
  });
  try {
    const headers = { [gateHeader]: '1', ...credentials };
    // Aborted, reset or refused: each means that there is no stream.
    const response = await send(path, { headers, signal: connection.signal }).catch(() => null);
    if (!response) return gone;
    if (!response.ok) return (await readFailure(response)).error;
    const decoder = new TextDecoder();
    const reader = response.body!.getReader();
    const read = () => reader.read().catch(() => null);
    for (let piece = await read(); piece && !piece.done; piece = await read()) {
      clearTimeout(watchdog);
      watchdog = setTimeout(stop, silenceMs);
      parser.feed(decoder.decode(piece.value, { stream: true }));
    }
    return gone;
  } finally {
    clearTimeout(watchdog);
    signal.removeEventListener('abort', stop);
    stop();
  }
}
