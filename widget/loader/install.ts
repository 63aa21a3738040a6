import { ownGlobal } from './dom.ts';
import { emit } from './events.ts';
import type { DeferredModule } from './deferred.ts';
import { defineInline } from './inline.ts';
import { change } from './settings.ts';
import { createWidget } from './widget.ts';

type Call = Iterable<unknown>;

/** `window.Deskside`. Until the script is loaded it is the page's stub, which collects calls in `q`. */
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
 * Installs the widget for the running script tag, whose origin is the BFF's.
 * @throws {TypeError} when it is not an HTML script element with a `src`
 */
export function install(
  { src, dataset }: HTMLScriptElement,
  importDeferred: (bff: string, attempt: number) => Promise<DeferredModule>,
): void {
  const calls = ownGlobal('Deskside')?.q ?? [];
  // Not an array: it is the widget's own `q`, so the tag is there twice.
  if (!Array.isArray(calls)) return;

  const lifetime = new AbortController();
  let commands: Partial<Record<string, (...args: never[]) => unknown>> = {
    ...createWidget(
      new URL(src).origin,
      change({}, dataset, ownGlobal('DesksideSettings')),
      importDeferred,
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
      // A bad call must not stop the calls after it.
      reportError(error);
    }
  };
  // A page that has kept its stub goes on pushing into `q`.
  window.Deskside = Object.assign((...call: unknown[]) => push(call), { q: { push } });
  defineInline();
  calls.forEach(push);
  if (commands['open']) emit('ready');
}
