import type { Settings } from './api.ts';
import { emit } from './events.ts';
import type { GuestModule } from './guest.ts';
import { defineInline } from './inline.ts';
import { defaults } from './settings.ts';
import { createWidget } from './widget.ts';

type Call = Iterable<unknown>;

/** `window.Deskside`: callable before the script has come, when the page's stub collects the calls in `q`. */
export interface Deskside {
  (command: string, ...args: unknown[]): unknown;
  q?: Call[] | { push: (call: Call) => unknown };
}

declare global {
  interface Window {
    Deskside?: Deskside;
    DesksideSettings?: object;
  }
}

/** Installs the widget for the script tag that is running; the tag's origin is the BFF's. */
export function install({ src, dataset }: HTMLScriptElement, importGuest: () => Promise<GuestModule>): void {
  const calls = window.Deskside?.q ?? [];
  // The widget's own `q` is no list: the tag stands twice.
  if (!Array.isArray(calls)) return;

  const lifetime = new AbortController();
  const settings: Settings = Object.assign({}, defaults, dataset, window.DesksideSettings);
  let commands: Partial<Record<string, (...args: never[]) => unknown>> = {
    ...createWidget(new URL(src).origin, settings, importGuest, lifetime.signal),
    destroy() {
      lifetime.abort();
      commands = {};
      delete window.Deskside;
    },
  };
  const push = (call: Call) => {
    const [name, ...args] = call;
    return commands[name as string]?.(...(args as never[]));
  };
  // The page may have kept the stub, which goes on pushing into `q`.
  window.Deskside = Object.assign((...call: unknown[]) => push(call), { q: { push } });
  calls.forEach(push);
  defineInline();
  if (commands['open']) emit('ready');
}
