import { effect, signal } from '@preact/signals';
import type { ComponentChild } from 'preact';
import type { PanelSentences } from '../../shared/i18n/sentences.ts';
import { type FrameSettings, readSettings } from '../bridge/messages.ts';
import type { App, Scripts } from './app.ts';
import { isOnFullPage, linkedTicket, readHash, takeSecret } from './browser/address.ts';
import { applyAppearance, readBrand } from './ui/appearance.ts';
import { browser } from './browser/browser.ts';
import { createDeferred, type Deferred, importScript } from './browser/deferred.ts';
import { early, refusedMark } from './browser/refuse-files.ts';
import { createStore } from './browser/storage.ts';
import { openHost } from './host.ts';
import { createWords, withTexts } from './i18n/words.ts';
import { scriptOnScreen } from './later-views.tsx';
import { createModels } from './models.ts';
import { mount } from './mount.tsx';
import { submitIfPressed, takeTypedTexts } from './new-ticket/form-before-scripts.ts';
import './ui/tokens.css';
import './ui/base.css';
import './new-ticket/form.css';
import './ui/layout.css';
import { resumeThread } from './view.ts';
import { watchPage } from './watch-page.ts';

async function main(root: HTMLElement) {
  // SECURITY: before anything is waited for.
  const secret = isOnFullPage && takeSecret();
  const sentences = JSON.parse(document.getElementById('sentences')!.textContent) as PanelSentences;
  const language = document.documentElement.lang || 'en';
  const { site: siteLink = null, ...brand } = readBrand();
  const settings = signal<Partial<FrameSettings>>({ ...brand, ...readSettings(readHash()) });
  const { origin, identify, inline, stayOpen, texts } = settings.peek();
  const host = origin ? openHost(origin, settings, brand) : null;

  // The BFF puts it into the document where a setting asks for it. Loaded before the first view, which it may draw.
  const siteBlock = document.getElementById('site');
  const createSite =
    siteBlock &&
    (await import('./site/site.tsx')
      .then(({ loadSite }) => loadSite(siteBlock.textContent, language))
      .catch(() => null));

  const models = createModels({
    browser,
    pageUrl: () => settings.peek().page_url,
    isEmbedded: Boolean(origin),
    isExpected: identify === true,
    onEvent: (event) => host?.tell(event),
    onArrival: (ticket) => void returning.fetch().then((loaded) => loaded?.arrive(ticket)),
    askForToken: () => host?.askForToken(),
  });
  const { customer, view, session, isGone, isOpen } = models;

  const script = <Loaded,>(name: keyof Scripts, load: () => Promise<Loaded>): Deferred<Loaded> =>
    createDeferred(importScript(load), () => {
      // A customer who writes in the form meanwhile keeps the focus.
      if (scriptOnScreen(models) === name) view.moves.value += 1;
    });
  const conversation: Scripts['conversation'] = script(
    'conversation',
    async () => (await import('./conversation.ts')).conversationViews,
  );
  if (!siteBlock) models.outbox.refuseFiles();
  const returning: Scripts['returning'] = script('returning', async () =>
    (await import('./returning.ts')).createReturning(app, host),
  );
  const account: Scripts['account'] = script('account', async () =>
    (await import('./account/account.tsx')).createAccount(models),
  );
  const app: App = {
    ...models,
    ...createWords(withTexts(sentences, texts), language),
    settings,
    site: createSite?.(models, settings) ?? null,
    scripts: { conversation, returning, account },
    overlay: signal<ComponentChild>(null),
    reload: () => location.reload(),
    siteLink: isOnFullPage ? siteLink : null,
    close: inline ? null : (host?.close ?? null),
  };

  const prefersDark = matchMedia('(prefers-color-scheme: dark)');
  const paint = () => applyAppearance(document.documentElement, settings.peek(), prefersDark.matches);
  prefersDark.addEventListener('change', paint);
  effect(() => {
    if (settings.value) paint();
  });
  const sayNoFiles = () => {
    view.said.value = app.s.noFiles;
  };
  document.addEventListener(refusedMark, sayNoFiles);

  const ref = isOnFullPage && linkedTicket();
  if (secret) view.go({ name: 'handoff', secret });
  else if (ref) view.go({ name: 'thread', ref });
  takeTypedTexts(root, models);
  if (host && stayOpen !== false && !inline)
    resumeThread(
      view,
      isOpen,
      createStore(() => sessionStorage),
    );
  mount(root, app);
  const detail = early[refusedMark];
  if (detail) document.dispatchEvent(new CustomEvent(refusedMark, { detail }));
  submitIfPressed(root, models);
  watchPage(models);
  models.start();
  host?.attach(models, app.site);

  effect(customer.askForAddress);
  effect(() => {
    const name = scriptOnScreen(models);
    if (name) void app.scripts[name].fetch();
  });
  effect(() => {
    const isOffered = session.current.value?.email_code || customer.hasOffers.value;
    if (session.isUsed.value || isOffered || isGone.value) void returning.fetch();
  });
  // Before it is needed, so that the conversation shows at once when the form is sent.
  void conversation.fetch();
}

void main(document.getElementById('app')!);
