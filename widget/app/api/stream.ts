import { gateHeader, paths } from '../../../bff/contract/paths.ts';
import { readFailure } from './failure.ts';
import type { ApiFailure } from './result.ts';
import { failure } from './result.ts';
import type { ServerEvent } from './shapes.ts';
import { readEvent } from './shapes.ts';

/** Longer than two heartbeats: a stream silent for this long is dead, though the socket may not know. */
export const silenceMs = 45_000;

/** Incremental parser of `text/event-stream`: feed decoded text in pieces of any size. */
export function createEventParser(onEvent: (name: string, data: string) => void): (text: string) => void {
  let rest = '';
  let name = '';
  let data: string[] = [];
  return (text) => {
    // A CR at the very end may be half of a CRLF: it waits for the next piece.
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop()!;
    for (const line of lines) {
      const [, field, value = ''] = /^([^:]*):? ?(.*)$/.exec(line)!;
      if (field === 'event') name = value;
      if (field === 'data') data.push(value);
      if (line !== '') continue;
      if (data.length > 0) onEvent(name, data.join('\n'));
      name = '';
      data = [];
    }
  };
}

interface StreamOptions {
  send: typeof fetch;
  /** Headers that say whose session this is, where no cookie does. */
  credentials: Record<string, string>;
  thread: string | null;
  onEvent: (event: ServerEvent) => void;
  signal: AbortSignal;
}

/** Reads `GET /api/events` until it ends, falls silent or `signal` aborts. */
export async function readStream({
  send,
  credentials,
  thread,
  onEvent,
  signal,
}: StreamOptions): Promise<ApiFailure> {
  const connection = new AbortController();
  const stop = () => connection.abort();
  signal.addEventListener('abort', stop);
  let watchdog = setTimeout(stop, silenceMs);
  const parse = createEventParser((name, json) => {
    const event = readEvent(name, json);
    if (event && !signal.aborted) onEvent(event);
  });
  try {
    const path = paths.events + (thread === null ? '' : `?thread=${thread}`);
    const response = await send(path, {
      headers: { [gateHeader]: '1', ...credentials },
      signal: connection.signal,
    });
    if (!response.ok) return (await readFailure(response)).error;
    const decoder = new TextDecoder();
    const reader = response.body!.getReader();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      clearTimeout(watchdog);
      watchdog = setTimeout(stop, silenceMs);
      parse(decoder.decode(piece.value, { stream: true }));
    }
  } catch {
    // Aborted, reset or refused: all mean that the stream is gone.
  } finally {
    clearTimeout(watchdog);
    signal.removeEventListener('abort', stop);
    stop();
  }
  return failure('network').error;
}
