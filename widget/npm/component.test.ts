import { act, createElement, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createApp, h, nextTick, reactive } from 'vue';
import { startComponent } from './component.js';
import * as forReact from './react.js';
import type { DesksideProps } from './vue.d.ts';
import * as forVue from './vue.js';

const src = 'https://support.test';
let calls: unknown[][];
let box: HTMLElement;
/** What the site's own badge shows. */
const badge = () => box.textContent;
const named = (name: string) => calls.filter(([command]) => command === name);
const tell = (name: string, detail: unknown) =>
  act(async () => void document.dispatchEvent(new CustomEvent(`deskside:${name}`, { detail })));

interface Mounted {
  change: (props: Partial<DesksideProps>) => Promise<void>;
  /** The component alone. */
  unmount: () => Promise<void>;
  end: () => Promise<void>;
}
type OnEvent = (name: string, detail: unknown) => void;

/** The component on a page that also shows the number of unread answers. */
async function mountReact(props: DesksideProps, onEvent: OnEvent): Promise<Mounted> {
  const root = createRoot(box);
  const on = { 'message-received': (detail: unknown) => onEvent('message-received', detail) };
  const Badge = () => String(forReact.useUnread());
  const draw = async (isMounted: boolean) =>
    act(() =>
      root.render(
        createElement(
          StrictMode,
          null,
          isMounted ? createElement(forReact.Deskside, { ...props, on }) : null,
          createElement(Badge),
        ),
      ),
    );
  await draw(true);
  return {
    async change(changes) {
      props = { ...props, ...changes };
      await draw(true);
    },
    unmount: () => draw(false),
    end: async () => act(() => root.unmount()),
  };
}

async function mountVue(initial: DesksideProps, onEvent: OnEvent): Promise<Mounted> {
  const props: Partial<DesksideProps> = reactive({ ...initial });
  const state = reactive({ isMounted: true });
  const Badge = {
    setup() {
      const count = forVue.useUnread();
      return () => String(count.value);
    },
  };
  const onMessageReceived = (detail: unknown) => onEvent('message-received', detail);
  const app = createApp({
    render: () => [state.isMounted && h(forVue.Deskside, { ...props, onMessageReceived } as never), h(Badge)],
  });
  app.mount(box);
  await nextTick();
  return {
    async change(changes) {
      Object.assign(props, changes);
      await nextTick();
    },
    async unmount() {
      state.isMounted = false;
      await nextTick();
    },
    end: async () => app.unmount(),
  };
}

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  calls = [];
  // As it is after the script has loaded.
  const take = (...call: unknown[]) => void calls.push(call);
  window.Deskside = Object.assign(take, { q: { push: take } });
  box = document.body.appendChild(document.createElement('div'));
});
afterEach(() => {
  box.remove();
  delete window.Deskside;
  vi.unstubAllGlobals();
});

describe.each([
  ['React', mountReact],
  ['Vue', mountVue],
])('the %s component', (_, mount) => {
  const onEvent = vi.fn<OnEvent>();
  let widget: Mounted;
  beforeEach(() => onEvent.mockClear());
  afterEach(() => widget.end());

  it('sets what it is given, and unsets what is left out later', async () => {
    widget = await mount({ src, brand: 'Acme', color: '#0b6' }, onEvent);
    expect(calls.at(-1)).toEqual(['update', { brand: 'Acme', color: '#0b6' }]);
    await widget.change({ brand: 'Kettle & Clay', color: undefined! });
    const [, settings] = calls.at(-1) as [string, object];
    expect(settings).toMatchObject({ brand: 'Kettle & Clay' });
    expect(settings).toHaveProperty('color', undefined);
  });

  it('sets only what has changed, since setting a language or texts again would reload the panel', async () => {
    widget = await mount({ src, locale: 'de', texts: { send: 'Los' } }, onEvent);
    const asked = named('update').length;
    await widget.change({ texts: { send: 'Los' } });
    expect(named('update')).toHaveLength(asked);
    await widget.change({ theme: 'dark' });
    expect(calls.at(-1)).toEqual(['update', { theme: 'dark' }]);
  });

  it('sets the other settings when one refers to itself, as an element of a framework does', async () => {
    const element: { owner?: unknown } = {};
    element.owner = element;
    widget = await mount({ src, brand: 'Acme', greeting: element as never }, onEvent);
    expect(calls.at(-1)).toEqual(['update', { brand: 'Acme', greeting: {} }]);
  });

  it('passes events on, and gives the site’s badge the number of unread answers', async () => {
    widget = await mount({ src }, onEvent);
    await tell('unread', { count: 2 });
    await tell('message-received', { ticket_id: 't1' });
    await widget.change({});
    expect(onEvent.mock.calls).toEqual([['message-received', { ticket_id: 't1' }]]);
    expect(badge()).toBe('2');
    await widget.unmount();
    expect(badge()).toBe('0');
    await tell('message-received', { ticket_id: 't2' });
    expect(onEvent).toHaveBeenCalledOnce();
  });

  it('gets a token for the signed-in customer from the newest function, and again for the next customer', async () => {
    const tokens = (token: string) => async () => token;
    widget = await mount({ src, customer: 'ana', identify: tokens('first') }, onEvent);
    const asked = named('identify').length;
    const [, token] = named('identify').at(-1) as [string, () => Promise<string>];
    await widget.change({ identify: tokens('second') });
    expect(named('identify')).toHaveLength(asked);
    expect(await token()).toBe('second');
    await widget.change({ identify: tokens('of Ben'), customer: 'ben' });
    expect(named('identify')).toHaveLength(asked + 1);
    await widget.change({ identify: 'a token' });
    expect(calls.at(-1)).toEqual(['identify', 'a token']);
  });

  it('signs out when the customer has left, but not before one was signed in, and not when it unmounts', async () => {
    widget = await mount({ src, identify: null }, onEvent);
    await widget.change({ identify: 'a token' });
    expect(named('logout')).toEqual([]);
    await widget.change({ identify: null });
    expect(named('logout')).toHaveLength(1);
    await widget.change({ identify: 'a token' });
    await widget.unmount();
    expect(named('logout')).toHaveLength(1);
    expect(calls.at(-1)).toEqual(['destroy']);
  });

  it('leaves the widget to one that was mounted before it unmounts, as in a transition between two pages', async () => {
    widget = await mount({ src }, onEvent);
    const next = startComponent(() => {});
    const before = named('destroy').length;
    await widget.unmount();
    expect(named('destroy')).toHaveLength(before);
    next.end();
    expect(named('destroy')).toHaveLength(before + 1);
  });
});

it('the Vue component sets texts of which one field has changed', async () => {
  const texts = reactive({ send: 'Go' });
  const app = createApp({ render: () => h(forVue.Deskside, { src, texts }) });
  app.mount(box);
  texts.send = 'Post';
  await nextTick();
  expect(calls.at(-1)).toEqual(['update', { texts: { send: 'Post' } }]);
  app.unmount();
});

it('the React component can be rendered by a server component', () => {
  const [code] = Object.values(
    import.meta.glob('./react.js', { query: '?raw', import: 'default', eager: true }),
  );
  expect(code).toMatch(/^'use client';/);
});

it('on a server the React component draws nothing', () => {
  expect(renderToString(createElement(forReact.Deskside, { src }))).toBe('');
});
