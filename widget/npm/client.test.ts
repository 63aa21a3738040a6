import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Client, ClientError, createClient } from './client.js';

const src = 'https://support.test';
let client: Client;
let frame: HTMLIFrameElement;
/** What the frame has been told. */
let told: { type: string; id?: number }[];

/** A message of the frame or, by `from`, of somebody else. */
const say = (data: object, from: MessageEventInit = {}) =>
  window.dispatchEvent(
    new MessageEvent('message', { data, source: frame.contentWindow, origin: src, ...from }),
  );
const answer = (more: object) => say({ type: 'answer', id: told.at(-1)!.id, ...more });
const settle = () => new Promise((resolve) => setTimeout(resolve));

beforeEach(() => {
  // The frame stays empty.
  const { settings } = (window as unknown as { happyDOM: { settings: object } }).happyDOM;
  const beforeAsyncRequest = () => Promise.resolve(new Response());
  Object.assign(settings, { enableIframePageLoading: true, fetch: { interceptor: { beforeAsyncRequest } } });
  told = [];
  client = createClient({ src });
  frame = document.querySelector('iframe')!;
  const contentWindow = { postMessage: (message: never) => told.push(message) };
  Object.defineProperty(frame, 'contentWindow', { value: contentWindow });
});
afterEach(() => client.destroy());

describe('the headless client', () => {
  it('has a hidden frame of its Deskside, which is told the page without its query', () => {
    expect(frame.hidden).toBe(true);
    const { origin, pathname, hash } = new URL(frame.src);
    expect(origin + pathname).toBe(`${src}/headless`);
    expect(JSON.parse(decodeURIComponent(hash.slice(1)))).toEqual({
      origin: location.origin,
      page_url: location.origin + location.pathname,
      identify: false,
    });
  });

  it('keeps what is asked until the frame is ready, in order', async () => {
    const opened = client.openTicket({ message: 'Hello', email: 'ana@example.com' });
    client.follow('t1');
    expect(told).toEqual([]);
    say({ type: 'ready' });
    expect(told).toMatchObject([
      { type: 'call', name: 'follow', args: ['t1'] },
      { type: 'update', settings: { page_url: location.origin + location.pathname } },
      { type: 'call', name: 'openTicket', args: [{ message: 'Hello', email: 'ana@example.com' }] },
    ]);
    answer({ value: 'key-1' });
    expect(await opened).toBe('key-1');
  });

  it('takes what frameworks wrap in proxies', () => {
    say({ type: 'ready' });
    void client.openTicket(new Proxy({ message: 'Hello', email: 'ana@example.com' }, {})).catch(() => {});
    expect(() => structuredClone(told.at(-1))).not.toThrow();
  });

  it('brings its frame back that the page has taken away, with the conversation on screen', () => {
    say({ type: 'ready' });
    client.follow('t1');
    document.body.replaceChildren();
    void client.reply('t1', 'Hello').catch(() => {});
    expect(frame.isConnected).toBe(true);
    told = [];
    say({ type: 'ready' });
    expect(told).toMatchObject([{ name: 'follow' }, { type: 'update' }, { name: 'reply' }]);
  });

  it('refuses what was asked when the frame cannot be had', async () => {
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

  it('gives a refusal as an error with its fields', async () => {
    say({ type: 'ready' });
    const reply = client.reply('t1', '');
    answer({ code: 'invalid_request', fields: { text: 'required' } });
    const error = await reply.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ClientError);
    expect(error).toMatchObject({ code: 'invalid_request', fields: { text: 'required' } });
  });

  it('tells each new state to whoever subscribes, until they unsubscribe', () => {
    const heard = vi.fn<(now: unknown) => void>();
    const stop = client.subscribe(heard);
    const state = { ...client.state, unread: 3 };
    say({ type: 'state', state });
    expect(client.state).toEqual(state);
    stop();
    say({ type: 'state', state: { ...state, unread: 4 } });
    expect(heard.mock.calls).toEqual([[state]]);
  });

  it.each([
    ['another window', { source: window }],
    ['another origin', { origin: 'https://evil.test' }],
    ['nobody', { source: null }],
  ])('hears nothing of %s [browser-38]', (_, from) => {
    say({ type: 'state', state: { ...client.state, unread: 3 } }, from as MessageEventInit);
    expect(client.state.unread).toBe(0);
  });

  it('gives a token when it is asked, by the newest function, and none after a sign-out', async () => {
    say({ type: 'ready' });
    client.identify(async () => 'first');
    await settle();
    client.identify(async () => 'second');
    await settle();
    say({ type: 'token' });
    await settle();
    client.logout();
    say({ type: 'token' });
    await settle();
    expect(told).toEqual([
      { type: 'identifying' },
      { type: 'identify', token: 'first' },
      { type: 'identifying' },
      { type: 'identify', token: 'second' },
      { type: 'identify', token: 'second' },
      { type: 'logout' },
    ]);
  });

  it('says to frame and site when a token cannot be had', async () => {
    const codes = vi.fn<(detail: { code: string }) => void>();
    client.on('error', codes);
    say({ type: 'ready' });
    client.identify(async () => Promise.reject(new Error('offline')));
    await settle();
    expect(told.at(-1)).toEqual({ type: 'identify_failed' });
    expect(codes.mock.calls).toEqual([[{ code: 'identify_failed' }]]);
  });

  it('after its end has no frame and no state, and what was asked is refused', async () => {
    const waiting = client.reply('t1', 'Hi').catch((error: ClientError) => error.code);
    client.destroy();
    expect(document.querySelector('iframe')).toBeNull();
    expect(await waiting).toBe('destroyed');
    expect(await client.reply('t1', 'Hello').catch((error: ClientError) => error.code)).toBe('destroyed');
  });
});
