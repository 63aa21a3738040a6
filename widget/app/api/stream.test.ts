import { afterEach, describe, expect, it, vi } from 'vitest';
import { aSession } from '../testing/fakes.ts';
import type { ServerEvent } from './shapes.ts';
import { createEventParser, readStream, silenceMs } from './stream.ts';

function parse(...pieces: string[]) {
  const events: [string, string][] = [];
  const feed = createEventParser((name, data) => events.push([name, data]));
  pieces.forEach(feed);
  return events;
}

describe('event parser', () => {
  const stream =
    ': hello\r\n\r\nevent: ticket\r\ndata: {"a":\r\ndata: 1}\r\n\r\nid: 7\nevent:session\ndata:{}\n\n';

  it('reads events over comments, any line end and data of several lines', () => {
    const expected = [
      ['ticket', '{"a":\n1}'],
      ['session', '{}'],
    ];
    expect(parse(stream)).toEqual(expected);
    expect(parse(stream.replaceAll('\r\n', '\r').replaceAll('\n', '\r'), '\n')).toEqual(expected);
  });

  it('reads the same wherever the stream is cut', () => {
    for (let cut = 1; cut < stream.length; cut += 1)
      expect(parse(stream.slice(0, cut), stream.slice(cut))).toEqual(parse(stream));
    expect(parse(...stream.split(''))).toEqual(parse(stream));
  });

  it('waits for the empty line, and drops an event without data', () => {
    expect(parse('event: ticket\ndata: {}\n')).toEqual([]);
    expect(parse('event: ticket\n\ndata: {}\n\n')).toEqual([['', '{}']]);
  });
});

describe('stream', () => {
  afterEach(() => vi.useRealTimers());

  const encoder = new TextEncoder();
  const open = (response: Response, thread: string | null = null, onAbort = () => {}) => {
    const send = vi.fn<typeof fetch>(async (_path, init) => {
      init?.signal?.addEventListener('abort', () => onAbort());
      return response;
    });
    const events: ServerEvent[] = [];
    const abort = new AbortController();
    const end = readStream({
      send,
      credentials: {},
      thread,
      onEvent: (event) => events.push(event),
      signal: abort.signal,
    });
    return { send, events, abort, end };
  };

  /** A stream that stays open; `reset` ends it as an aborted fetch does. */
  const endless = () => {
    let beat = () => {};
    let reset = () => {};
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        beat = () => controller.enqueue(encoder.encode(':\n\n'));
        reset = () => controller.error(new DOMException('aborted', 'AbortError'));
      },
    });
    return { response: new Response(body), beat, reset };
  };

  it('gives known events of the right shape, and drops all others', async () => {
    const session = JSON.stringify(aSession());
    const text = `event: session\ndata: ${session}\n\nevent: ticket\ndata: {"no":"status"}\n\nevent: toString\ndata: {}\n\nevent: session\ndata: {broken\n\n`;
    const { events, end, send } = open(new Response(text), 't1');
    expect(await end).toMatchObject({ kind: 'network', retryable: true });
    expect(events).toEqual([{ name: 'session', data: aSession() }]);
    expect(send).toHaveBeenCalledWith(
      '/api/events?thread=t1',
      expect.objectContaining({ headers: { 'X-Deskside': '1' } }),
    );
  });

  it('ends with the code of a refusal', async () => {
    const { end } = open(new Response('{"error":{"code":"unauthenticated"}}', { status: 401 }));
    expect(await end).toMatchObject({ code: 'unauthenticated', retryable: false });
  });

  it('puts characters together that were cut in two', async () => {
    const bytes = encoder.encode(
      `event: session\ndata: ${JSON.stringify({ ...aSession(), brand: '🛟' })}\n\n`,
    );
    const cut = bytes.indexOf(0xf0) + 2;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(bytes.slice(0, cut));
        controller.enqueue(bytes.slice(cut));
        controller.close();
      },
    });
    const { events, end } = open(new Response(body));
    await end;
    expect(events[0]!.data).toMatchObject({ brand: '🛟' });
  });

  it('ends when nothing has come for too long, not while heartbeats come', async () => {
    vi.useFakeTimers();
    const { response, beat, reset } = endless();
    const { end } = open(response, null, reset);
    const ended = vi.fn<() => void>();
    void end.then(ended);
    await vi.advanceTimersByTimeAsync(silenceMs - 1);
    beat();
    await vi.advanceTimersByTimeAsync(silenceMs - 1);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(2);
    expect(ended).toHaveBeenCalledOnce();
  });

  it('ends when it is told to', async () => {
    const { response, reset } = endless();
    const { abort, end } = open(response, null, reset);
    abort.abort();
    expect(await end).toMatchObject({ kind: 'network' });
  });
});
