import type { ComponentChild } from 'preact';
import type { FrameSettings } from '../bridge/messages.ts';
import { readSettings } from '../bridge/messages.ts';
import { createClient } from './api/client.ts';
import { failure } from './api/result.ts';
import { createToken } from './api/token.ts';
import { openHost } from './host.ts';
import { withTexts } from './i18n/texts.ts';
import type { Sentences } from './i18n/words.ts';
import { createWords } from './i18n/words.ts';
import type { createNotify } from './notify.tsx';
import { newUuid, tabLock, takeHandoffSecret, watchPage } from './page.ts';
import { importPart, lend } from './parts.ts';
import { systemClock } from './state/clock.ts';
import { createPart } from './state/part.ts';
import { effect, signal } from './state/signal.ts';
import { createSupport } from './state/support.ts';
import { createStore } from './storage.ts';
import { joinTabs } from './tabs.ts';
import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/form.css';
import './styles/layout.css';
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
  const addSentences = (part: { sentences: Partial<Sentences> }) =>
    Object.assign(words.s, withTexts(part.sentences, settings.peek().texts));
  const importAccount = importPart('account', root);
  const rest = createPart(importPart('rest', root), (part) => {
    addSentences(part);
    notify =
      host &&
      part.createNotify({ support, storage, clock: systemClock, settings, s: words.s, host, overlay });
    const { name } = support.view.current.peek();
    // Whoever writes in the form meanwhile keeps the focus.
    if (name === 'thread' || (name === 'start' && support.home.peek() !== 'form'))
      support.view.moves.value += 1;
  });
  const overlay = signal<ComponentChild>(null);
  let notify: ReturnType<typeof createNotify> | null = null;

  const api = createClient({
    send: (...request) => fetch(...request),
    token: createToken(createStore(() => sessionStorage)),
    owner: () => support.session.owner.peek() ?? null,
    readStream: async (...request) =>
      (await rest.fetch())?.readStream(...request) ?? failure('network').error,
    solve: async (challenge) => (await rest.fetch())?.createProofSolver()(challenge) ?? null,
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
      addSentences(account);
      return account.createAccount;
    },
    pageUrl: () => settings.peek().page_url,
    isEmbedded: host !== null,
    isExpected: settings.peek().identify === true,
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
  void rest.fetch();
  for (const sign of ['click', 'keydown']) addEventListener(sign, () => notify?.allowSound());
  const close = settings.peek().inline ? null : (host?.close ?? null);
  const reload = () => location.reload();
  mount(root, { ...support, ...words, later: rest, settings, overlay, close, reload });
  watchPage(support, storage);
  const secret = isTop && takeHandoffSecret();
  if (secret) support.openHandoff(secret);
  support.start();
  host?.attach(support, async () => (await rest.fetch())?.diagnose({ api, storage, live: support.live }));
}

main(document.getElementById('app')!);
