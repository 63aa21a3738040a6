import { ownGlobal } from './dom.ts';
import { emit } from './events.ts';
import type { GuestModule } from './guest.ts';
import { defineInline } from './inline.ts';
import { change } from './settings.ts';
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

/**
 * Installs the widget for the script tag that is running; the tag's origin is the BFF's.
 * @throws {TypeError} where that is no HTML script element with a `src`
 */
export function install(
  { src, dataset }: HTMLScriptElement,
  importGuest: (bff: string, attempt: number) => Promise<GuestModule>,
): void {
  const calls = ownGlobal('Deskside')?.q ?? [];
  // The widget's own `q` is no list: the tag stands twice.
  if (!Array.isArray(calls)) return;

  const lifetime = new AbortController();
  let commands: Partial<Record<string, (...args: never[]) => unknown>> = {
    ...createWidget(
      new URL(src).origin,
      change({}, dataset, ownGlobal('DesksideSettings')),
      importGuest,
      lifetime.signal,
    ),
    destroy() {
      lifetime.abort();
      commands = {};
      delete window.Deskside;
    },
  };
  const push = (call: Call) => {
    try {
      const [name, ...args] = call;
      return commands[name as string]?.(...(args as never[]));
    } catch (error) {
      // One bad call costs no other.
      reportError(error);
    }
  };
  // The page may have kept the stub, which goes on pushing into `q`.
  window.Deskside = Object.assign((...call: unknown[]) => push(call), { q: { push } });
  defineInline();
  calls.forEach(push);
  if (commands['open']) emit('ready');
}
