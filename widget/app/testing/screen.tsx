import { afterEach, beforeEach, vi } from 'vitest';
import type { ComponentChild } from 'preact';
import { render } from 'preact';
import type { FrameSettings } from '../../bridge/messages.ts';
import { en } from '../../i18n/en.ts';
import { createWords } from '../i18n/words.ts';
import { createDeferred } from '../browser/deferred.ts';
import { effect, signal } from '@preact/signals';
import { mount } from '../mount.tsx';
import { aSession, fakeSupport, newStore, settle } from './fakes.ts';
import { saveFile } from '../browser/save-file.ts';
import type { NewTicketModel } from '../new-ticket/new-ticket.ts';
import { conversationViews } from '../conversation.ts';
import { knownViews } from '../known.ts';
import type { DeferredViews, FullShared, KnownViews, Page, SiteViews } from '../shared.ts';
import type { Session } from '../../../bff/contract/session.ts';
import type { TicketSummary } from '../../../bff/contract/tickets.ts';

interface Shown extends NonNullable<Parameters<typeof fakeSupport>[0]> {
  settings?: Partial<FrameSettings>;
  siteLink?: Page['siteLink'];
  loadViews?: () => Promise<Omit<DeferredViews, 'app'>>;
  loadKnown?: () => Promise<Omit<KnownViews, 'app' | 'arrive'>>;
  /** Tickets of a customer who has been here before. */
  tickets?: TicketSummary[];
  /** What the BFF's settings add. */
  site?: SiteViews | ((newTicket: NewTicketModel) => SiteViews);
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
  ...options
}: Shown = {}) {
  const storage = options.storage ?? newStore();
  if (tickets) storage.write('used', true);
  const fake = fakeSupport({ ...options, storage });
  const stopAsking = effect(fake.support.customer.askForAddress);
  const root = document.createElement('div');
  document.body.replaceChildren(root);
  const closes: string[] = [];
  /** What was stored of drafts at each reload. */
  const reloads: unknown[][] = [];
  const current = signal(settings);
  const overlay = signal<ComponentChild>(null);
  const close = options.isEmbedded ? () => closes.push('close') : null;
  const reload = () => reloads.push(storage.names('draft:').map((name) => storage.read(name)));
  const load = options.loadViews ?? (async () => conversationViews);
  const loadKnown = options.loadKnown ?? (async () => knownViews);
  const deferred: Page['deferred'] = createDeferred(
    async () => ({ ...(await load()), app }),
    () => void known.fetch(),
  );
  const known = createDeferred<KnownViews>(
    async () => ({
      ...(await loadKnown()),
      arrive: () => {},
      app: { ...app, s: en, offers: fake.offers, saveFile },
    }),
    () => {},
  );
  const page: Page = {
    ...createWords(en, 'en'),
    site: (typeof site === 'function' ? site(fake.support.newTicket) : site) ?? null,
    deferred,
    settings: current,
    overlay,
    close,
    siteLink: options.siteLink ?? null,
    reload,
  };
  const app: FullShared = { ...fake.support, ...page, known };
  await deferred.fetch();
  mount(root, { ...fake.support, ...page });
  if (tickets) await fake.push({ name: 'sync', data: { session, tickets, thread: null } });
  await settle();
  const end = () => {
    render(null, root);
    stopAsking();
    fake.support.leave();
    document.body.replaceChildren();
  };
  endShown = end;
  return { ...fake, root, closes, reloads, settings: current, overlay, end };
}
