import { afterEach, describe, expect, it, vi } from 'vitest';
import { aSession } from '../testing/fakes.ts';
import type { ServerEvent } from './shapes.ts';
import { readStream, silenceMs } from './stream.ts';

describe('the stream', () => {
  afterEach(() => vi.useRealTimers());

  const encoder = new TextEncoder();
  const open = (response: Response, onAbort = () => {}, isAborted = false) => {
    const send = vi.fn<typeof fetch>(async (_path, init) => {
      init?.signal?.addEventListener('abort', () => onAbort());
      return response;
    });
    const events: ServerEvent[] = [];
    const abort = new AbortController();
    if (isAborted) abort.abort();
    const end = readStream({
      send,
      credentials: {},
      path: '/api/events?thread=t1',
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

  it('delivers known events of the right shape, and drops all others', async () => {
    const session = JSON.stringify(aSession());
    const text = `event: session\ndata: ${session}\n\nevent: ticket\ndata: {"no":"status"}\n\nevent: toString\ndata: {}\n\nevent: session\ndata: {broken\n\n`;
    const { events, end, send } = open(new Response(text));
    expect(await end).toMatchObject({ kind: 'network', retryable: true });
    expect(events).toEqual([{ name: 'session', data: aSession() }]);
    expect(send).toHaveBeenCalledWith(
      '/api/events?thread=t1',
      expect.objectContaining({ headers: { 'X-Deskside': '1' } }),
    );
  });

  it('is not requested when its signal is already aborted', async () => {
    const { end, send } = open(new Response(), undefined, true);
    expect(await end).toMatchObject({ kind: 'network' });
    expect(send).not.toHaveBeenCalled();
  });

  it('reads an event whose text holds any line or paragraph separator of Unicode', async () => {
    const brand = 'one\u2028two\u2029three\u0085four\u000bfive';
    const text = `event: session\ndata: ${JSON.stringify({ ...aSession(), brand })}\n\n`;
    const { events, end } = open(new Response(text));
    await end;
    expect(events).toEqual([{ name: 'session', data: { ...aSession(), brand } }]);
  });

  it('reads the same events with any line ending, with comments, and wherever the bytes are split', async () => {
    const text = `: hello\n\nid: 7\nevent:session\ndata:${JSON.stringify(aSession())}\n\n`;
    for (const lineEnd of ['\n', '\r\n', '\r']) {
      const bytes = encoder.encode(text.replaceAll('\n', lineEnd) + '\n');
      for (const step of [1, 2, 7, bytes.length]) {
        const body = new ReadableStream<Uint8Array>({
          start(controller) {
            for (let at = 0; at < bytes.length; at += step) controller.enqueue(bytes.slice(at, at + step));
            controller.close();
          },
        });
        const { events, end } = open(new Response(body));
        await end;
        expect(events).toEqual([{ name: 'session', data: aSession() }]);
      }
    }
  });

  it('reports an exception of a handler, and delivers the events after it', async () => {
    const reported = vi.fn<(error: unknown) => void>();
    vi.stubGlobal('reportError', reported);
    const session = `event: session\ndata: ${JSON.stringify(aSession())}\n\n`;
    const bug = new TypeError('a bug');
    let heard = 0;
    await readStream({
      send: async () => new Response(session + session),
      credentials: {},
      path: '/api/events',
      onEvent() {
        heard += 1;
        if (heard === 1) throw bug;
      },
      signal: new AbortController().signal,
    });
    expect(heard).toBe(2);
    expect(reported).toHaveBeenCalledWith(bug);
    vi.unstubAllGlobals();
  });

  it('ends with the code of a refusal', async () => {
    const { end } = open(new Response('{"error":{"code":"unauthenticated"}}', { status: 401 }));
    expect(await end).toMatchObject({ code: 'unauthenticated', retryable: false });
  });

  it('decodes characters that are split between chunks', async () => {
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

  it('ends after silence, but not while heartbeats come', async () => {
    vi.useFakeTimers();
    const { response, beat, reset } = endless();
    const { end } = open(response, reset);
    const ended = vi.fn<() => void>();
    void end.then(ended);
    await vi.advanceTimersByTimeAsync(silenceMs - 1);
    beat();
    await vi.advanceTimersByTimeAsync(silenceMs - 1);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(2);
    expect(ended).toHaveBeenCalledOnce();
  });

  it('ends when its signal aborts', async () => {
    const { response, reset } = endless();
    const { abort, end } = open(response, reset);
    abort.abort();
    expect(await end).toMatchObject({ kind: 'network' });
  });
});
