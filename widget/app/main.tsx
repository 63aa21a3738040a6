import type { ComponentChild } from 'preact';
import type { FrameSettings } from '../bridge/messages.ts';
import { readSettings } from '../bridge/messages.ts';
import { createClient } from './api/client.ts';
import { createProofSolver } from './api/proof.ts';
import { createToken } from './api/token.ts';
import { openHost } from './host.ts';
import { withTexts } from './i18n/texts.ts';
import type { Sentences } from './i18n/words.ts';
import { createWords } from './i18n/words.ts';
import { createNotify } from './notify.tsx';
import { newUuid, tabLock, takeHandoffSecret, watchPage } from './page.ts';
import { importPart, lend } from './parts.ts';
import { systemClock } from './state/clock.ts';
import { createPart } from './state/part.ts';
import { diagnose } from './state/diagnose.ts';
import { effect, signal } from './state/signal.ts';
import { createSupport } from './state/support.ts';
import { createStore } from './storage.ts';
import { joinTabs } from './tabs.ts';
import './styles/tokens.css';
import './styles/app.css';
import './styles/preview.css';
import { applyAppearance } from './ui/appearance.ts';
import { mount } from './ui/mount.tsx';

function readHash(): unknown {
  try {
    return JSON.parse(decodeURIComponent(location.hash.slice(1)));
  } catch {
    return null;
  }
}

function main(root: HTMLElement) {
  const sentences = JSON.parse(document.getElementById('sentences')!.textContent) as Sentences;
  const language = document.documentElement.lang || 'en';
  const isTop = window.parent === window;
  // SECURITY: a link to the full page must not put somebody's words on this origin.
  const settings = signal<Partial<FrameSettings>>(readSettings(isTop ? null : readHash()));
  const { origin } = settings.peek();
  const host = origin ? openHost(origin, settings) : null;
  const storage = createStore(() => localStorage);
  const words = createWords(withTexts(sentences, settings.peek().texts), language);

  lend();
  const importAccount = importPart('account', root);

  const api = createClient({
    send: (...request) => fetch(...request),
    token: createToken(createStore(() => sessionStorage)),
    solve: createProofSolver(),
    renew: () => support.customer.identity.renew(),
  });
  const support = createSupport({
    api,
    clock: systemClock,
    storage,
    lock: tabLock,
    join: joinTabs,
    newKey: newUuid,
    async loadAccount(attempt) {
      const account = await importAccount(attempt);
      Object.assign(words.s, withTexts(account.sentences, settings.peek().texts));
      return account.createAccount;
    },
    pageUrl: () => settings.peek().page_url,
    isEmbedded: host !== null,
    onEvent: (event) => host?.tell(event),
    onArrival: (ticket) => notify?.arrive(ticket),
    askForToken: () => host?.askForToken(),
  });

  const prefersDark = matchMedia('(prefers-color-scheme: dark)');
  const paint = () => applyAppearance(document.documentElement, settings.peek(), prefersDark.matches);
  prefersDark.addEventListener('change', paint);
  effect(() => {
    if (settings.value) paint();
  });
  const { view, home } = support;
  const ticketViews = createPart(importPart('tickets', root), () => {
    const { name } = view.current.peek();
    // Whoever writes in the form meanwhile keeps the focus.
    if (name === 'thread' || (name === 'start' && home.peek() !== 'form')) view.moves.value += 1;
  });
  void ticketViews.fetch();
  const overlay = signal<ComponentChild>(null);
  const notify =
    host &&
    createNotify({
      support,
      storage,
      clock: systemClock,
      settings,
      s: words.s,
      host,
      overlay,
      watch: effect,
    });
  if (notify) for (const sign of ['click', 'keydown']) addEventListener(sign, notify.allowSound);
  const close = settings.peek().inline ? null : (host?.close ?? null);
  mount(root, { ...support, ...words, ticketViews, settings, overlay, close });
  watchPage(support, storage);
  const secret = isTop && takeHandoffSecret();
  if (secret) support.openHandoff(secret);
  support.start();
  host?.attach(support, () => diagnose({ api, storage, live: support.live }));
}

main(document.getElementById('app')!);
