import { beforeEach, describe, expect, it } from 'vitest';
import type { TicketSummary } from '../../../shared/contract/tickets.ts';
import type { FrameSettings } from '../../bridge/messages.ts';
import { aTicket, fakeClock, newStore } from '../testing/fakes.ts';
import { createNotifications } from './notifications.ts';

const answered = aTicket({ unread: 1, preview: { author_type: 'agent', text: 'On its way' } });

function setUp(settings: Partial<FrameSettings> = { sound: true }, storage = newStore()) {
  const clock = fakeClock();
  const screen = { isOpen: false, seen: '', ticket: answered as TicketSummary | undefined };
  const told: string[] = [];
  const notifications = createNotifications({
    clock,
    storage,
    settings: () => settings,
    find: () => screen.ticket,
    isOpen: () => screen.isOpen,
    isSeen: (id) => screen.seen === id,
    show: (ticket) => told.push(ticket ? `shows ${ticket.preview!.text}` : 'ends'),
    announce: () => told.push('announces'),
    play: () => told.push('plays'),
  });
  /** A further answer. */
  const arrive = async () => {
    if (screen.ticket) screen.ticket = { ...screen.ticket, updated_at: crypto.randomUUID() };
    notifications.arrive(answered);
    await clock.advance(1_000);
    await clock.advance(500);
    return told.splice(0);
  };
  return { notifications, screen, told, clock, arrive, storage };
}

let at: ReturnType<typeof setUp>;
beforeEach(() => {
  at = setUp();
});

describe('a new answer', () => {
  it('plays a sound, shows a preview and, once that is visible, is announced once', async () => {
    at.notifications.arrive(answered);
    await at.clock.advance(1_000);
    expect(at.told).toEqual(['plays', 'shows On its way']);
    await at.clock.advance(10_000);
    expect(at.told).toEqual(['plays', 'shows On its way', 'announces']);
  });

  it('that another window has shown meanwhile is not notified', async () => {
    at.notifications.arrive(answered);
    at.screen.ticket = aTicket({ unread: 0 });
    await at.clock.advance(1_000);
    expect(at.told).toEqual([]);
  });

  it('of a customer who has left is not notified', async () => {
    at.notifications.arrive(answered);
    at.screen.ticket = undefined;
    await at.clock.advance(1_000);
    expect(at.told).toEqual([]);
  });

  it('in an open panel plays a sound when another view is on screen, without a preview', async () => {
    at.screen.isOpen = true;
    expect(await at.arrive()).toEqual(['plays']);
  });

  it('in the conversation on screen is not notified', async () => {
    at.screen.isOpen = true;
    at.screen.seen = 't1';
    expect(await at.arrive()).toEqual([]);
  });

  it('is notified once, whichever hidden window finds it first', async () => {
    await at.arrive();
    const other = setUp({ sound: true }, at.storage);
    other.screen.ticket = at.screen.ticket;
    other.notifications.arrive(answered);
    await other.clock.advance(1_000);
    expect(other.told).toEqual([]);
  });

  it('plays a sound at most once in a few seconds', async () => {
    await at.arrive();
    expect(await at.arrive()).not.toContain('plays');
    await at.clock.advance(5_000);
    expect(await at.arrive()).toContain('plays');
  });

  it('followed by the customer’s own message plays a sound without a preview, since its text is unknown', async () => {
    at.screen.ticket = aTicket({ unread: 1, preview: { author_type: 'customer', text: 'Thanks' } });
    expect(await at.arrive()).toEqual(['plays']);
  });
});

describe('the settings', () => {
  it('turn sound on only if the site asks, and previews off only if it asks', async () => {
    expect(await setUp({}).arrive()).toEqual(['shows On its way', 'announces']);
    expect(await setUp({ sound: true, preview: false }).arrive()).toEqual(['plays']);
  });
});

describe('a customer who wants no previews', () => {
  it('gets none on any page of this browser', async () => {
    await at.arrive();
    at.notifications.mute();
    expect(at.told.splice(0)).toEqual(['ends']);
    expect(await setUp({}, at.storage).arrive()).toEqual([]);
  });
});
