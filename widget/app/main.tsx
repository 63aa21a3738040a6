import type { FrameSettings } from '../bridge/messages.ts';
import { readSettings } from '../bridge/messages.ts';
import { createClient } from './api/client.ts';
import { createProofSolver } from './api/proof.ts';
import { createToken } from './api/token.ts';
import { openHost } from './host.ts';
import { withTexts } from './i18n/texts.ts';
import type { Sentences } from './i18n/words.ts';
import { createWords } from './i18n/words.ts';
import { newUuid, tabLock, takeHandoffSecret, watchPage } from './page.ts';
import { systemClock } from './state/clock.ts';
import { effect, signal } from './state/signal.ts';
import { createSupport } from './state/support.ts';
import { createStore } from './storage.ts';
import './styles/tokens.css';
import './styles/app.css';
import './styles/thread.css';
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

  const support = createSupport({
    api: createClient({
      send: (...request) => fetch(...request),
      token: createToken(createStore(() => sessionStorage)),
      solve: createProofSolver(),
      renew: () => support.customer.identity.renew(),
    }),
    clock: systemClock,
    storage,
    lock: tabLock,
    newKey: newUuid,
    pageUrl: () => settings.peek().page_url,
    isEmbedded: host !== null,
    onEvent: (event) => host?.tell(event),
    askForToken: () => host?.askForToken(),
  });

  const prefersDark = matchMedia('(prefers-color-scheme: dark)');
  const paint = () => applyAppearance(document.documentElement, settings.peek(), prefersDark.matches);
  prefersDark.addEventListener('change', paint);
  effect(() => {
    if (settings.value) paint();
  });
  mount(root, { ...support, ...words, settings, close: (!settings.peek().inline && host?.close) || null });
  watchPage(support, storage);
  const secret = isTop && takeHandoffSecret();
  if (secret) support.openHandoff(secret);
  support.start();
  host?.attach(support);
}

main(document.getElementById('app')!);
