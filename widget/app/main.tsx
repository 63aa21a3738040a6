import type { ComponentChild } from 'preact';
import type { FrameSettings } from '../bridge/messages.ts';
import { readSettings } from '../bridge/messages.ts';
import { isOnFullPage, linkedTicket, readHash, takeSecret } from './browser/address.ts';
import { readBrand } from './browser/brand.ts';
import { createClient } from './api/client.ts';
import { createToken } from './api/token.ts';
import { submitIfPressed, takeTypedTexts } from './new-ticket/form-before-scripts.ts';
import { openHost } from './host.ts';
import { importScript } from './browser/import-script.ts';
import { withTexts } from './i18n/texts.ts';
import type { PanelSentences } from '../i18n/sentences.ts';
import { createWords } from './i18n/words.ts';
import { newUuid, tabLock } from './browser/page.ts';
import { systemClock } from './browser/clock.ts';
import { createDeferred, type Deferred } from './browser/deferred.ts';
import { effect, signal } from '@preact/signals';
import { createCore } from './core.ts';
import { createStore } from './browser/storage.ts';
import './ui/tokens.css';
import './ui/base.css';
import './ui/controls.css';
import './new-ticket/form.css';
import './ui/layout.css';
import { applyAppearance } from './ui/appearance.ts';
import { mount } from './mount.tsx';
import { refusedMark } from './browser/refuse-files.ts';
import type { DeferredViews, Page } from './shared.ts';

async function main(root: HTMLElement) {
  const sentences = JSON.parse(document.getElementById('sentences')!.textContent) as PanelSentences;
  const language = document.documentElement.lang || 'en';
  const { site: siteLink = null, ...brand } = readBrand();
  const settings = signal<Partial<FrameSettings>>({ ...brand, ...readSettings(readHash()) });
  const { origin } = settings.peek();

  const overlay = signal<ComponentChild>(null);
  const second = importScript(() => import('./conversation.ts'));
  const api = createClient({
    send: (...request) => fetch(...request),
    token: createToken(createStore(() => sessionStorage)),
    owner: () => core.session.owner.peek() ?? null,
    readStream: async (...request) => (await second()).readStream(...request),
    solve: async (challenge) => (await second()).solve(challenge),
    renew: () => core.renew(),
  });
  const options = {
    api,
    clock: systemClock,
    storage: createStore(() => localStorage),
    lock: tabLock,
    newKey: newUuid,
    pageUrl: () => settings.peek().page_url,
    isEmbedded: Boolean(origin),
    isExpected: settings.peek().identify === true,
  };
  const core = createCore(options);
  // The BFF puts it into the document where a setting asks for it.
  const siteBlock = document.getElementById('site');
  // Before the first view, which it may draw.
  const site =
    siteBlock &&
    (await import('./site/site.tsx')
      .then(({ loadSite }) => loadSite(siteBlock.textContent, language, core.newTicket))
      .catch(() => null));
  const host = origin ? openHost(origin, settings, site, brand) : null;
  const deferred: Deferred<DeferredViews> = createDeferred(
    async () => (await second()).start({ core, options, page, host, overlay }),
    () => {
      // A customer who writes in the form meanwhile keeps the focus.
      if (!core.isForm.peek()) core.view.moves.value += 1;
    },
  );
  const page: Page = {
    ...createWords(withTexts(sentences, settings.peek().texts), language),
    settings,
    site,
    deferred,
    overlay,
    reload: () => location.reload(),
    siteLink: isOnFullPage ? siteLink : null,
    close: settings.peek().inline ? null : (host?.close ?? null),
  };

  const prefersDark = matchMedia('(prefers-color-scheme: dark)');
  const paint = () => applyAppearance(document.documentElement, settings.peek(), prefersDark.matches);
  prefersDark.addEventListener('change', paint);
  effect(() => {
    if (settings.value) paint();
  });
  const secret = isOnFullPage && takeSecret();
  const ref = isOnFullPage && linkedTicket();
  if (secret) core.view.go({ name: 'handoff', secret });
  else if (ref) core.view.go({ name: 'thread', ref });
  const sayNoFiles = () => {
    core.view.said.value = page.s.noFiles;
  };
  document.addEventListener(refusedMark, sayNoFiles);
  if (refusedMark in document.documentElement.dataset) sayNoFiles();
  takeTypedTexts(root, core);
  mount(root, { ...core, ...page });
  submitIfPressed(root, core);
  host?.attach(core);
  void deferred.fetch();
}

void main(document.getElementById('app')!);

// Both later scripts use these. In the second one, they would make it a module that has to name all of its exports.
export { agoText, fullTime } from './i18n/panel-times.ts';
export { showConversation } from './thread/show-conversation.ts';
export { TicketStatus } from './ticket-list/TicketStatus.tsx';
export { adoptStyles } from './ui/adopt-styles.ts';
export { NewTicketButton } from './ui/NewTicketButton.tsx';
