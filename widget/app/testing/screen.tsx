import { fireEvent, screen } from '@testing-library/preact';
import { effect, signal } from '@preact/signals';
import { type ComponentChild, render } from 'preact';
import { afterEach, beforeEach, vi } from 'vitest';
import type { Session } from '../../../shared/contract/session.ts';
import type { TicketSummary } from '../../../shared/contract/tickets.ts';
import { en } from '../../../shared/i18n/en.ts';
import type { FrameSettings } from '../../bridge/messages.ts';
import { createAccount } from '../account/account.tsx';
import type { App, ConversationViews, ReturningViews, SiteViews } from '../app.ts';
import { createDeferred } from '../browser/deferred.ts';
import { createWords } from '../i18n/words.ts';
import { scriptOnScreen } from '../later-views.tsx';
import { mount } from '../mount.tsx';
import type { Models } from '../models.ts';
import type { NewTicketModel } from '../new-ticket/new-ticket.ts';
import { createReturning } from '../returning.ts';
import { conversationViews } from '../conversation.ts';
import { aSession, fakeModels, newStore, settle } from './fakes.ts';

interface Shown extends NonNullable<Parameters<typeof fakeModels>[0]> {
  settings?: Partial<FrameSettings>;
  siteLink?: App['siteLink'];
  loadConversation?: () => Promise<ConversationViews>;
  loadReturning?: (app: App) => Promise<ReturningViews>;
  loadAccount?: () => Promise<typeof createAccount>;
  /** Tickets of a customer who has been here before. */
  tickets?: TicketSummary[];
  /** What the BFF's settings add. */
  site?: SiteViews | ((newTicket: NewTicketModel, models: Models) => SiteViews);
  /** The customer that the BFF names with these tickets. */
  session?: Session;
}

/** Every field of the form is on screen. */
const asked: Partial<FrameSettings> = { subject: 'ask' };

let endShown = () => {};

/**
 * For a file of tests: after each test, neither its app nor what it replaced is left. `matches`: which media queries hold.
 */
export function prepareScreen(matches: (query: string) => boolean = () => false) {
  beforeEach(() => vi.stubGlobal('matchMedia', (query: string) => ({ matches: matches(query) })));
  afterEach(() => {
    endShown();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });
}

/** The whole app on a fake BFF, drawn into the document as the frame does it. */
export async function showApp({
  settings = asked,
  tickets,
  session = aSession(),
  site,
  siteLink = null,
  loadConversation = async () => conversationViews,
  loadReturning = async (app) => createReturning(app, null),
  loadAccount = async () => createAccount,
  ...options
}: Shown = {}) {
  const storage = options.storage ?? newStore();
  if (tickets) storage.write('used', true);
  const fake = fakeModels({ ...options, storage, hasAccount: false });
  const { models } = fake;
  const stopAsking = effect(models.customer.askForAddress);
  const root = document.createElement('div');
  document.body.replaceChildren(root);
  const closes: string[] = [];
  /** What was stored of drafts at each reload. */
  const reloads: unknown[][] = [];
  const current = signal(settings);
  const script = <Loaded,>(name: keyof App['scripts'], load: () => Promise<Loaded>) =>
    createDeferred(load, () => {
      if (scriptOnScreen(models) === name) models.view.moves.value += 1;
    });
  const app: App = {
    ...models,
    ...createWords(en, 'en'),
    settings: current,
    site: (typeof site === 'function' ? site(models.newTicket, models) : site) ?? null,
    scripts: {
      conversation: script('conversation', loadConversation),
      returning: script('returning', () => loadReturning(app)),
      account: script('account', async () => fake.makeAccount(await loadAccount())),
    },
    overlay: signal<ComponentChild>(null),
    close: options.isEmbedded ? () => closes.push('close') : null,
    siteLink,
    reload: () => reloads.push(storage.names('draft:').map((name) => storage.read(name))),
  };
  await Promise.all([app.scripts.conversation.fetch(), app.scripts.returning.fetch()]);
  const stopFetching = effect(() => {
    const name = scriptOnScreen(models);
    if (name) void app.scripts[name].fetch();
  });
  mount(root, app);
  if (tickets) await fake.push({ name: 'sync', data: { session, tickets, thread: null } });
  await settle();
  const end = () => {
    render(null, root);
    stopAsking();
    stopFetching();
    models.leave();
    document.body.replaceChildren();
  };
  endShown = end;
  return { ...fake, root, closes, reloads, settings: current, overlay: app.overlay, end };
}

/** An item of the menu in the bar. The menu is closed, since the page has no popovers here. */
export const menuItem = (name: string) => screen.queryByRole('button', { name, hidden: true });

export async function choose(name: string): Promise<void> {
  fireEvent.click(menuItem(name)!);
  await settle();
}
