import type { ComponentChild } from 'preact';
import { render } from 'preact';
import type { FrameSettings } from '../../bridge/messages.ts';
import { en } from '../i18n/en.ts';
import { createWords } from '../i18n/words.ts';
import { createPart } from '../state/part.ts';
import { signal } from '../state/signal.ts';
import { mount } from '../ui/mount.tsx';
import { Start, Thread } from '../ui/tickets.ts';
import { aSession, fakeSupport, newStore, settle } from './fakes.ts';
import type { Load } from '../state/part.ts';
import type { TicketViews } from '../ui/shared.ts';
import type { TicketSummary } from '../../../bff/contract/tickets.ts';

interface Shown extends NonNullable<Parameters<typeof fakeSupport>[0]> {
  settings?: Partial<FrameSettings>;
  loadTickets?: Load<TicketViews>;
  /** Tickets of a customer who has been here before. */
  tickets?: TicketSummary[];
}

/** The whole app on a fake BFF, drawn into the document as the frame does it. */
export async function showApp({ settings = {}, tickets, ...options }: Shown = {}) {
  const storage = options.storage ?? newStore();
  if (tickets) storage.write('used', true);
  const fake = fakeSupport({ ...options, storage });
  const root = document.createElement('div');
  document.body.replaceChildren(root);
  const closes: string[] = [];
  const current = signal(settings);
  const overlay = signal<ComponentChild>(null);
  const words = createWords(en, 'en');
  const close = options.isEmbedded ? () => closes.push('close') : null;
  const ticketViews = createPart(options.loadTickets ?? (async () => ({ Start, Thread })), () => {});
  await ticketViews.fetch();
  mount(root, { ...fake.support, ...words, ticketViews, settings: current, overlay, close });
  if (tickets) await fake.push({ name: 'sync', data: { session: aSession(), tickets, thread: null } });
  await settle();
  const end = () => {
    render(null, root);
    fake.support.leave();
    document.body.replaceChildren();
  };
  return { ...fake, root, closes, settings: current, overlay, end };
}
