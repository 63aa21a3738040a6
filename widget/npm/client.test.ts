import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Client, ClientError, createClient } from './client.js';

const src = 'https://support.test';
let client: Client;
let frame: HTMLIFrameElement;
/** Messages to the frame. */
let posted: { type: string; id?: number }[];

/** A message from the frame or, with `from`, from another sender. */
const receive = (data: object, from: MessageEventInit = {}) =>
  window.dispatchEvent(
    new MessageEvent('message', { data, source: frame.contentWindow, origin: src, ...from }),
  );
const answer = (more: object) => receive({ type: 'answer', id: posted.at(-1)!.id, ...more });
const settle = () => new Promise((resolve) => setTimeout(resolve));

beforeEach(() => {
  // The frame stays empty.
  const { settings } = (window as unknown as { happyDOM: { settings: object } }).happyDOM;
  const beforeAsyncRequest = () => Promise.resolve(new Response());
  Object.assign(settings, { enableIframePageLoading: true, fetch: { interceptor: { beforeAsyncRequest } } });
  posted = [];
  client = createClient({ src });
  frame = document.querySelector('iframe')!;
  const contentWindow = { postMessage: (message: never) => posted.push(message) };
  Object.defineProperty(frame, 'contentWindow', { value: contentWindow });
});
afterEach(() => client.destroy());

describe('the headless client', () => {
  it('has a hidden frame, which gets the page’s address without its query', () => {
    expect(frame.hidden).toBe(true);
    const { origin, pathname, hash } = new URL(frame.src);
    expect(origin + pathname).toBe(`${src}/headless`);
    expect(JSON.parse(decodeURIComponent(hash.slice(1)))).toEqual({
      origin: location.origin,
      page_url: location.origin + location.pathname,
      identify: false,
    });
  });

  it('keeps calls in order until the frame is ready', async () => {
    const opened = client.openTicket({ message: 'Hello', email: 'ana@example.com' });
    client.follow('t1');
    expect(posted).toEqual([]);
    receive({ type: 'ready' });
    expect(posted).toMatchObject([
      { type: 'call', name: 'follow', args: ['t1'] },
      { type: 'update', settings: { page_url: location.origin + location.pathname } },
      { type: 'call', name: 'openTicket', args: [{ message: 'Hello', email: 'ana@example.com' }] },
    ]);
    answer({ value: 'key-1' });
    expect(await opened).toBe('key-1');
  });

  it('accepts values that frameworks wrap in proxies', () => {
    receive({ type: 'ready' });
    void client.openTicket(new Proxy({ message: 'Hello', email: 'ana@example.com' }, {})).catch(() => {});
    expect(() => structuredClone(posted.at(-1))).not.toThrow();
  });

  it('adds its frame again with the same conversation after the page has removed it', () => {
    receive({ type: 'ready' });
    client.follow('t1');
    document.body.replaceChildren();
    void client.reply('t1', 'Hello').catch(() => {});
    expect(frame.isConnected).toBe(true);
    posted = [];
    receive({ type: 'ready' });
    expect(posted).toMatchObject([{ name: 'follow' }, { type: 'update' }, { name: 'reply' }]);
  });

  it('rejects calls when the frame cannot be loaded', async () => {
    vi.useFakeTimers();
    const other = createClient({ src });
    const opened = other
      .openTicket({ message: 'Hello', email: 'ana@example.com' })
      .catch((error: ClientError) => error.code);
    vi.advanceTimersByTime(10_000);
    vi.useRealTimers();
    expect(await opened).toBe('frame_unavailable');
    other.destroy();
  });

  it('rejects a refused call with an error that names the fields', async () => {
    receive({ type: 'ready' });
    const reply = client.reply('t1', '');
    answer({ code: 'invalid_request', fields: { text: 'required' } });
    const error = await reply.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ClientError);
    expect(error).toMatchObject({ code: 'invalid_request', fields: { text: 'required' } });
  });

  it('passes each new state to subscribers until they unsubscribe', () => {
    const onState = vi.fn<(now: unknown) => void>();
    const stop = client.subscribe(onState);
    const state = { ...client.state, unread: 3 };
    receive({ type: 'state', state });
    expect(client.state).toEqual(state);
    stop();
    receive({ type: 'state', state: { ...state, unread: 4 } });
    expect(onState.mock.calls).toEqual([[state]]);
  });

  it.each([
    ['another window', { source: window }],
    ['another origin', { origin: 'https://evil.test' }],
    ['nobody', { source: null }],
  ])('ignores messages of %s [browser-38]', (_, from) => {
    receive({ type: 'state', state: { ...client.state, unread: 3 } }, from as MessageEventInit);
    expect(client.state.unread).toBe(0);
  });

  it('gets a token from the newest function when it is asked, and none after a sign-out', async () => {
    receive({ type: 'ready' });
    client.identify(async () => 'first');
    await settle();
    client.identify(async () => 'second');
    await settle();
    receive({ type: 'token' });
    await settle();
    client.logout();
    receive({ type: 'token' });
    await settle();
    expect(posted).toEqual([
      { type: 'identifying' },
      { type: 'identify', token: 'first' },
      { type: 'identifying' },
      { type: 'identify', token: 'second' },
      { type: 'identify', token: 'second' },
      { type: 'logout' },
    ]);
  });

  it('reports to frame and site when there is no token', async () => {
    const codes = vi.fn<(detail: { code: string }) => void>();
    client.on('error', codes);
    receive({ type: 'ready' });
    client.identify(async () => Promise.reject(new Error('offline')));
    await settle();
    expect(posted.at(-1)).toEqual({ type: 'identify_failed' });
    expect(codes.mock.calls).toEqual([[{ code: 'identify_failed' }]]);
  });

  it('has no frame and no state after it was destroyed, and rejects open calls', async () => {
    const waiting = client.reply('t1', 'Hi').catch((error: ClientError) => error.code);
    client.destroy();
    expect(document.querySelector('iframe')).toBeNull();
    expect(await waiting).toBe('destroyed');
    expect(await client.reply('t1', 'Hello').catch((error: ClientError) => error.code)).toBe('destroyed');
  });
});
