import { vi } from 'vitest';
import type { FrameMessage, HostMessage } from '../../bridge/messages.ts';
import * as deferred from '../deferred/main.ts';
import { install } from '../install.ts';

export const bff = 'https://support.example.com';

export const tag = (data: Record<string, string> = {}) => {
  const script = document.createElement('script');
  script.setAttribute('src', `${bff}/widget.js`);
  Object.assign(script.dataset, data);
  return script;
};
/** Runs the tag. The deferred script is loaded asynchronously: at once, or a moment after the panel. */
export const start = (script = tag()) => install(script, () => Promise.resolve(deferred));
/** Also loads the deferred script. */
export const settle = () => vi.advanceTimersByTimeAsync(101);
/** The widget is added again a moment after the page has removed it. */
export const settleBack = () => vi.advanceTimersByTimeAsync(50);
export const call = (...args: unknown[]) => (window.Deskside as (...args: unknown[]) => unknown)(...args);
export const host = () => document.querySelector('deskside-root');
export const shadow = () => host()!.shadowRoot!;
export const launcher = () => shadow().querySelector<HTMLButtonElement>('.root > button')!;
/** The panel's. It is added in a task of its own. */
export const iframe = () => {
  vi.advanceTimersByTime(1);
  return shadow().querySelector('iframe');
};
export const dialog = () => shadow().querySelector('dialog')!;
export const isOpen = () => launcher().getAttribute('aria-expanded') === 'true';

/**
 * A fake app: receives what the loader posts, and posts messages as the frame's window. `told`: what it is told for agents,
 * which is repeated often.
 */
export function app(frame = iframe()) {
  const posted: HostMessage[] = [];
  const told: object[] = [];
  const postMessage = (message: HostMessage, origin: string) => {
    if (origin !== bff) return;
    // As the browser posts it.
    if (message.type === 'context') told.push(structuredClone(message.context));
    else posted.push(message);
  };
  const source = { postMessage } as unknown as Window;
  Object.defineProperty(frame, 'contentWindow', { configurable: true, value: source });
  const say = (data: FrameMessage, from: MessageEventInit = {}) =>
    window.dispatchEvent(new MessageEvent('message', { data, source, origin: bff, ...from }));
  return { posted, told, say, types: () => posted.map(({ type }) => type) };
}

/** A page of its own for each test, without a BFF: frames stay empty. */
export function openPage(): void {
  vi.useFakeTimers();
  const { settings } = (window as unknown as { happyDOM: { settings: object } }).happyDOM;
  const beforeAsyncRequest = () => Promise.resolve(new Response());
  Object.assign(settings, { enableIframePageLoading: true, fetch: { interceptor: { beforeAsyncRequest } } });
}

export function closePage(): void {
  vi.restoreAllMocks();
  window.Deskside?.('destroy');
  delete window.Deskside;
  delete window.DesksideSettings;
  localStorage.clear();
  sessionStorage.clear();
  document.body.replaceChildren();
  vi.useRealTimers();
}
