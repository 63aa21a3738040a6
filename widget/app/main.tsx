import type { FrameSettings } from '../bridge/messages.ts';
import { readSettings } from '../bridge/messages.ts';
import { createClient } from './api/client.ts';
import { openHost } from './host.ts';
import type { Sentences } from './i18n/words.ts';
import { createWords } from './i18n/words.ts';
import { tabLock, watchPage } from './page.ts';
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
  const settings = signal<Partial<FrameSettings>>(readSettings(readHash()));
  const { origin } = settings.peek();
  const host = window.parent !== window && origin ? openHost(origin, settings) : null;
  const storage = createStore(() => localStorage);
  const words = createWords(sentences, language);

  const support = createSupport({
    api: createClient((...request) => fetch(...request)),
    clock: systemClock,
    storage,
    lock: tabLock,
    newKey: () => crypto.randomUUID(),
    pageUrl: () => settings.peek().page_url,
    isEmbedded: host !== null,
    onEvent: (event) => host?.tell(event),
  });

  const prefersDark = matchMedia('(prefers-color-scheme: dark)');
  const paint = () => applyAppearance(document.documentElement, settings.peek(), prefersDark.matches);
  prefersDark.addEventListener('change', paint);
  effect(() => {
    if (settings.value) paint();
  });
  mount(root, { ...support, ...words, settings, close: host?.close ?? null });
  watchPage(support, storage);
  support.start();
  host?.attach(support);
}

main(document.getElementById('app')!);
