import { ownGlobal } from './dom.ts';
import { emit } from './events.ts';
import type { Call } from './api.ts';
import type { DeferredModule } from './deferred.ts';
import { defineInline } from './inline.ts';
import { change } from './settings.ts';
import { createWidget } from './widget.ts';

/** Installs the widget for its script tag, which is in the folder of the BFF. */
export function install(
  { src, dataset }: HTMLScriptElement,
  importDeferred: (bff: string, attempt: number) => Promise<DeferredModule>,
): void {
  // Until now the page's stub, which collects calls.
  const calls = ownGlobal('Deskside')?.q ?? [];
  // Not an array: it is the widget's own `q`, so the tag is there twice.
  if (!Array.isArray(calls)) return;

  const lifetime = new AbortController();
  const settings = ownGlobal('DesksideSettings');
  const core = createWidget(
    src.replace(/\/widget(-[^/]+)?\.js.*/, ''),
    change({}, dataset, settings),
    importDeferred,
    lifetime.signal,
  );
  let commands: Partial<Record<string, (...args: never[]) => unknown>> = {
    ...core.commands,
    destroy() {
      lifetime.abort();
      commands = {};
      delete window.Deskside;
    },
  };
  const push = (call: Call) => {
    try {
      const [name, ...args] = call;
      core.calls.push(call);
      const command = commands[name as string];
      return command ? command(...(args as never[])) : core.explain();
    } catch (error) {
      // A bad call must not stop the calls after it.
      reportError(error);
    }
  };
  // A page that has kept its stub goes on pushing into `q`.
  window.Deskside = Object.assign((...call: unknown[]) => push(call) as never, { q: { push } });
  defineInline();
  core.calls.push(['start', dataset, settings]);
  calls.forEach(push);
  emit('ready');
}
