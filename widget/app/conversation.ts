import type { Signal } from '@preact/signals';
import { effect } from '@preact/signals';
import type { ComponentChild } from 'preact';
import type { createNotify } from './notifications/notify.tsx';
import type { Host } from './host.ts';
import { watchPage } from './watch-page.ts';
import type { Core, CoreOptions } from './core.ts';
import { createSupport } from './support.ts';
import { importScript } from './browser/import-script.ts';
import { adoptStyles } from './ui/adopt-styles.ts';
import list from './ticket-list/ticket-list.css?inline';
import thread from './thread/thread.css?inline';
import { joinTabs } from './browser/tabs.ts';
import { deferredViews } from './deferred-views.ts';
import type { DeferredViews, Page } from './shared.ts';

export { readStream } from './api/stream.ts';

interface FirstScript {
  core: Core;
  options: CoreOptions;
  page: Page;
  host: Host | null;
  overlay: Signal<ComponentChild>;
}

let solver: ((challenge: unknown) => Promise<string | null>) | undefined;

/** Solves a proof of work; null where that fails. */
export async function solve(challenge: unknown): Promise<string | null> {
  solver ??= (await import('./api/proof.ts')).createProofSolver();
  return solver(challenge);
}

/** Joins tickets, conversations and all else that the first script does without to its models, and starts them. */
export function start({ core, options, page, host, overlay }: FirstScript): DeferredViews {
  const support = createSupport(core, {
    ...options,
    join: joinTabs,
    loadAccount: importScript(async () => (await import('./account/account.tsx')).createAccount),
    onEvent: (event) => host?.tell(event),
    onArrival: (ticket) => void notifications?.then((loaded) => loaded?.arrive(ticket)),
    askForToken: () => host?.askForToken(),
  });
  let notifications: Promise<ReturnType<typeof createNotify> | null> | undefined;
  effect(() => {
    // Nobody answers a visitor who has written nothing. Without this script answers are merely not announced.
    if (host && core.session.isUsed.value)
      notifications ??= import('./notifications/notify.tsx').then(
        (script) => {
          const created = script.createNotify({ ...options, ...page, support, host, overlay });
          // The press on "Send", for one, came before this script.
          if (navigator.userActivation.hasBeenActive) created.allowSound();
          return created;
        },
        () => null,
      );
  });
  for (const sign of ['click', 'keydown'])
    addEventListener(sign, () => void notifications?.then((loaded) => loaded?.allowSound()));
  watchPage(support, options.storage);
  support.start();
  adoptStyles(list + thread);
  return { app: { ...support, ...page }, ...deferredViews };
}
