import { beforeEach, describe, expect, it } from 'vitest';
import type { TicketSummary } from '../../../bff/contract/tickets.ts';
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
  it('is heard, shown over the launcher and, once that is in sight, announced once', async () => {
    at.notifications.arrive(answered);
    await at.clock.advance(1_000);
    expect(at.told).toEqual(['plays', 'shows On its way']);
    await at.clock.advance(10_000);
    expect(at.told).toEqual(['plays', 'shows On its way', 'announces']);
  });

  it('that another window has shown meanwhile is not told of', async () => {
    at.notifications.arrive(answered);
    at.screen.ticket = aTicket({ unread: 0 });
    await at.clock.advance(1_000);
    expect(at.told).toEqual([]);
  });

  it('that is gone with the customer is not told of', async () => {
    at.notifications.arrive(answered);
    at.screen.ticket = undefined;
    await at.clock.advance(1_000);
    expect(at.told).toEqual([]);
  });

  it('in an open panel is heard where another view is on screen, and never shown over it', async () => {
    at.screen.isOpen = true;
    expect(await at.arrive()).toEqual(['plays']);
  });

  it('in the conversation on screen is told of by nothing else', async () => {
    at.screen.isOpen = true;
    at.screen.seen = 't1';
    expect(await at.arrive()).toEqual([]);
  });

  it('is told once, whichever hidden window looks next', async () => {
    await at.arrive();
    const other = setUp({ sound: true }, at.storage);
    other.screen.ticket = at.screen.ticket;
    other.notifications.arrive(answered);
    await other.clock.advance(1_000);
    expect(other.told).toEqual([]);
  });

  it('is heard once in a few seconds at most', async () => {
    await at.arrive();
    expect(await at.arrive()).not.toContain('plays');
    await at.clock.advance(5_000);
    expect(await at.arrive()).toContain('plays');
  });

  it('followed by the customer’s own words is heard, but its text is not at hand to be shown', async () => {
    at.screen.ticket = aTicket({ unread: 1, preview: { author_type: 'customer', text: 'Thanks' } });
    expect(await at.arrive()).toEqual(['plays']);
  });
});

describe('the settings', () => {
  it('play nothing unless the site asks for it, and show unless it says no', async () => {
    expect(await setUp({}).arrive()).toEqual(['shows On its way', 'announces']);
    expect(await setUp({ sound: true, preview: false }).arrive()).toEqual(['plays']);
  });
});

describe('a customer who wants no previews', () => {
  it('gets none any more, on no page of this browser', async () => {
    await at.arrive();
    at.notifications.mute();
    expect(at.told.splice(0)).toEqual(['ends']);
    expect(await setUp({}, at.storage).arrive()).toEqual([]);
  });
});
