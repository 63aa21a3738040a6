import type { Signal } from '@preact/signals';
import { effect } from '@preact/signals';
import type { ComponentChild } from 'preact';
import type { Host } from './host.ts';
import { watchPage } from './watch-page.ts';
import type { Core, CoreOptions } from './core.ts';
import { createSupport } from './support.ts';
import { createDeferred } from './browser/deferred.ts';
import { importScript } from './browser/import-script.ts';
import { importLater } from './i18n/later.ts';
import { adoptStyles } from './ui/adopt-styles.ts';
import css from './thread/thread.css?inline';
import { joinTabs } from './browser/tabs.ts';
import { Notice } from './live/Notice.tsx';
import { Thread } from './pages/Thread.tsx';
import type { DeferredViews, FullShared, KnownViews, Page } from './shared.ts';

export { readStream } from './api/stream.ts';

interface FirstScript {
  core: Core;
  options: CoreOptions;
  page: Page;
  host: Host | null;
  overlay: Signal<ComponentChild>;
}

/** The views of this script. */
export const conversationViews = { Notice, Thread };

let solver: ((challenge: unknown) => Promise<string | null>) | undefined;

/** Solves a proof of work; null where that fails. */
export async function solve(challenge: unknown): Promise<string | null> {
  solver ??= (await import('./api/proof.ts')).createProofSolver();
  return solver(challenge);
}

/** Adds tickets, conversations and everything else that the first script lacks to its models, and starts them. */
export function start({ core, options, page, host, overlay }: FirstScript): DeferredViews {
  const { session, view, isForm } = core;
  const support = createSupport(core, {
    ...options,
    join: joinTabs,
    loadAccount: importScript(async () => (await import('./account/account.tsx')).createAccount),
    onEvent: (event) => host?.tell(event),
    onArrival: (ticket) => void known.fetch().then((loaded) => loaded?.arrive(ticket)),
    askForToken: () => host?.askForToken(),
  });
  const importKnown = importScript(() => Promise.all([import('./known.ts'), importLater()]));
  /** Whether the third script renders what is on screen. */
  const isOnScreen = () => {
    const { ref, back } = view.current.value;
    return session.isWaiting.value || !(isForm.value || ref || back);
  };
  const known = createDeferred<KnownViews>(
    async () => {
      const [{ startKnown }, later] = await importKnown();
      return startKnown({ app, support, options, host, overlay, later });
    },
    // A customer who writes meanwhile keeps the focus.
    () => {
      if (isOnScreen()) view.moves.value += 1;
    },
  );
  const app: FullShared = { ...support, ...page, known };

  watchPage(support, options.storage);
  support.start();
  effect(support.customer.askForAddress);
  effect(() => {
    const isOffered = session.current.value?.email_code || support.customer.hasOffers.value;
    if (session.isUsed.value || isOffered || support.isGone.value || isOnScreen()) void known.fetch();
  });
  adoptStyles(css);
  return { app, ...conversationViews };
}
