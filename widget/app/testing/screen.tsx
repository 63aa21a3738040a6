import type { ComponentChild } from 'preact';
import { render } from 'preact';
import type { FrameSettings } from '../../bridge/messages.ts';
import { en } from '../i18n/en.ts';
import { createWords } from '../i18n/words.ts';
import { createPart } from '../state/part.ts';
import { signal } from '../state/signal.ts';
import { mount } from '../ui/mount.tsx';
import { Identifying } from '../ui/Identifying.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Offers } from '../ui/Offers.tsx';
import { Spoken } from '../ui/Spoken.tsx';
import { Start } from '../ui/Start.tsx';
import { Thread } from '../ui/Thread.tsx';
import { Ways } from '../ui/Ways.tsx';
import { aSession, fakeSupport, newStore, settle } from './fakes.ts';
import type { Load } from '../state/part.ts';
import type { LaterViews } from '../ui/shared.ts';
import type { Session } from '../../../bff/contract/session.ts';
import type { TicketSummary } from '../../../bff/contract/tickets.ts';

interface Shown extends NonNullable<Parameters<typeof fakeSupport>[0]> {
  settings?: Partial<FrameSettings>;
  loadLater?: Load<LaterViews>;
  /** Tickets of a customer who has been here before. */
  tickets?: TicketSummary[];
  /** Who they are, as the BFF says with these. */
  session?: Session;
}

/** The whole app on a fake BFF, drawn into the document as the frame does it. */
export async function showApp({ settings = {}, tickets, session = aSession(), ...options }: Shown = {}) {
  const storage = options.storage ?? newStore();
  if (tickets) storage.write('used', true);
  const fake = fakeSupport({ ...options, storage });
  const root = document.createElement('div');
  document.body.replaceChildren(root);
  const closes: string[] = [];
  /** What was stored of drafts at each reload. */
  const reloads: unknown[][] = [];
  const current = signal(settings);
  const overlay = signal<ComponentChild>(null);
  const words = createWords(en, 'en');
  const close = options.isEmbedded ? () => closes.push('close') : null;
  const reload = () => reloads.push(storage.names('draft:').map((name) => storage.read(name)));
  const later = createPart(
    options.loadLater ?? (async () => ({ Identifying, Notice, Offers, Spoken, Start, Thread, Ways })),
    () => {},
  );
  await later.fetch();
  mount(root, { ...fake.support, ...words, later, settings: current, overlay, close, reload });
  if (tickets) await fake.push({ name: 'sync', data: { session, tickets, thread: null } });
  await settle();
  const end = () => {
    render(null, root);
    fake.support.leave();
    document.body.replaceChildren();
  };
  return { ...fake, root, closes, reloads, settings: current, overlay, end };
}
