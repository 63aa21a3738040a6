import { describe, expect, it, vi } from 'vitest';
import type { ServerEvent } from '../api/shapes.ts';
import { fakeBrowser } from '../testing/fake-browser.ts';
import { aSession, aTicket, fakeApi, fakeClock, http, leadAlone, settle } from '../testing/fakes.ts';
import { createLive, type JoinTabs, type TabMessage } from './live.ts';

const syncOf = (subject: string): ServerEvent => ({
  name: 'sync',
  data: { session: aSession(), tickets: [aTicket({ subject })], thread: null },
});
const sync = syncOf('My order');
const ticket: ServerEvent = { name: 'ticket', data: aTicket({ unread: 1 }) };

/** One tab of a browser, not yet connected. */
function openTab(join: JoinTabs, isAlone = false) {
  const server = fakeApi({ isAlone: () => isAlone });
  const clock = fakeClock();
  const received: ServerEvent[] = [];
  const poll = vi.fn<() => Promise<boolean>>(async () => true);
  const onUnauthenticated = vi.fn<() => void>();
  let known: ServerEvent | null = null;
  const live = createLive({
    api: server.api,
    clock,
    join,
    onEvent(event) {
      received.push(event);
      if (event.name === 'sync') known = event;
    },
    begin: () => ({ after: null, since: 0 }),
    snapshot: () => known,
    poll,
    onUnauthenticated,
  });
  return { live, clock, received, poll, onUnauthenticated, ...server };
}

/** Two windows side by side; the second was opened last. */
async function twoWindows(threads: [string | null, string | null] = [null, null]) {
  const { join } = fakeBrowser();
  const first = openTab(join);
  first.live.connect(threads[0], true);
  await first.push(sync);
  const second = openTab(join);
  second.live.connect(threads[1], true);
  await second.push(sync);
  first.received.length = 0;
  second.received.length = 0;
  return { first, second, join };
}

const hasStream = (...tabs: ReturnType<typeof openTab>[]) => tabs.map((tab) => tab.isStreaming());

describe('the tabs of a browser', () => {
  it('have one stream, in the tab opened last, and all get its events [live-2]', async () => {
    const { first, second } = await twoWindows();
    expect(hasStream(first, second)).toEqual([false, true]);
    await second.push(ticket);
    expect(second.received).toEqual([ticket]);
    expect(first.received).toEqual([ticket]);
    expect(first.live.status.value).toBe('stream');
  });

  it('replace a leader that closes, with a stream that begins with the full state [live-3]', async () => {
    const { first, second } = await twoWindows();
    second.live.stop();
    expect(hasStream(first, second)).toEqual([true, false]);
    await first.push(sync);
    expect(first.received).toEqual([sync]);
  });

  it('make the tab the leader that is shown, navigated or focused', async () => {
    const { first, second } = await twoWindows();
    first.live.connect('t1', true);
    expect(hasStream(first, second)).toEqual([true, false]);
    second.live.lead();
    expect(hasStream(first, second)).toEqual([false, true]);
    first.live.connect('t1', false);
    expect(hasStream(first, second)).toEqual([false, true]);
    first.live.connect('t1', true);
    expect(hasStream(first, second)).toEqual([true, false]);
  });

  it('make a visible window the leader when the leader is hidden', async () => {
    const { first, second } = await twoWindows();
    second.live.connect(null, false);
    await settle();
    expect(hasStream(first, second)).toEqual([true, false]);
  });

  it('keep a hidden leader when no tab is visible', async () => {
    const { first, second } = await twoWindows();
    first.live.connect(null, false);
    second.live.connect(null, false);
    await settle();
    expect(hasStream(first, second)).toEqual([false, true]);
  });

  it('send the state to a tab that opens hidden, which opens no stream', async () => {
    const { first, second, join } = await twoWindows();
    const third = openTab(join);
    third.live.connect(null, false);
    await settle();
    expect(third.received).toEqual([sync]);
    expect(hasStream(first, second, third)).toEqual([false, true, false]);
    await second.push(ticket);
    expect(third.received).toEqual([sync, ticket]);
  });

  it('get the leader’s status and the results of its polling', async () => {
    const { first, second } = await twoWindows();
    second.poll.mockResolvedValue(false);
    second.live.connect('t1', true);
    await second.clock.advance(4_000);
    await settle();
    expect(first.live.isLate.value).toBe(true);
    second.poll.mockResolvedValue(true);
    await second.clock.advance(19_000);
    expect(first.live.status.value).toBe('polling');
    expect(first.received).toEqual([sync]);
    expect(first.poll).not.toHaveBeenCalled();
  });

  it('read a changed conversation themselves when the leader does not follow it', async () => {
    const { first, second } = await twoWindows(['t1', 't2']);
    first.poll.mockClear();
    await second.push({ name: 'ticket', data: aTicket({ id: 't2' }) });
    expect(first.poll).not.toHaveBeenCalled();
    await second.push(ticket);
    expect(first.poll).toHaveBeenCalledOnce();
    expect(second.poll).not.toHaveBeenCalled();
  });

  it('do not read a changed conversation when the leader follows it too, or while they are hidden', async () => {
    const same = await twoWindows(['t1', 't1']);
    same.first.poll.mockClear();
    await same.second.push(ticket);
    expect(same.first.poll).not.toHaveBeenCalled();
    const hidden = await twoWindows(['t1', null]);
    hidden.first.live.connect('t1', false);
    hidden.first.poll.mockClear();
    await hidden.second.push(ticket);
    expect(hidden.first.poll).not.toHaveBeenCalled();
  });

  it('get no events after they have stopped', async () => {
    const { first, second } = await twoWindows();
    first.live.stop();
    await second.push(ticket);
    expect(first.received).toEqual([]);
  });

  it('each detect an ended session themselves', async () => {
    const { join } = fakeBrowser();
    const gone = async () => http('unauthenticated').error;
    const first = openTab(join);
    const second = openTab(join);
    first.api.events = gone;
    second.api.events = gone;
    first.live.connect(null, true);
    second.live.connect(null, true);
    await settle();
    expect(first.onUnauthenticated).toHaveBeenCalledOnce();
    expect(second.onUnauthenticated).toHaveBeenCalledOnce();
  });

  it('share nothing when a tab has a session of its own', async () => {
    const { join } = fakeBrowser();
    const tabs = [openTab(join, true), openTab(join, true)] as const;
    for (const tab of tabs) tab.live.connect(null, true);
    expect(hasStream(...tabs)).toEqual([true, true]);
    await tabs[0].push(sync);
    expect(tabs[1].received).toEqual([]);
  });
});

describe('a message from another tab', () => {
  /** A tab that follows; `deliver` gives it a message from another tab. */
  function follow() {
    const sent: TabMessage[] = [];
    let deliver: (message: unknown) => void = () => {};
    const tab = openTab(({ onMessage }) => {
      deliver = onMessage;
      return { broadcast: (message) => sent.push(message), requestLead() {}, leave() {} };
    });
    tab.live.connect(null, false);
    return { ...tab, sent, deliver };
  }
  const update = { term: 0.1, thread: null, status: 'stream' as const };

  it('is applied only from the leader whose first event was received [live-4]', () => {
    const { received, deliver } = follow();
    deliver({ ...update, event: ticket });
    expect(received).toEqual([]);
    deliver({ ...update, event: sync });
    deliver({ ...update, event: ticket });
    const other = syncOf('Of somebody else');
    deliver({ ...update, term: 0.2, event: other });
    deliver({ ...update, event: ticket });
    expect(received).toEqual([sync, ticket, other]);
  });

  it.each([
    null,
    'state',
    {},
    { ...update, event: { name: 'sync', data: {} } },
    { ...update, event: { name: 'toString', data: {} } },
    { ...update, status: 'loud', event: sync },
    { ...update, status: undefined, event: sync },
  ])('is ignored when its shape is unknown: %j', (message) => {
    const { received, deliver, live } = follow();
    deliver(message);
    expect(received).toEqual([]);
    expect(live.status.value).toBe('off');
  });

  it('that takes the lead makes the former leader ask for the state, since it may have been frozen', () => {
    const sent: TabMessage[] = [];
    let lose = () => {};
    const tab = openTab(({ onLead, onLost }) => {
      lose = onLost;
      return { broadcast: (message) => sent.push(message), requestLead: onLead, leave() {} };
    });
    tab.live.connect(null, true);
    lose();
    expect(sent).toEqual([{ ask: 'state' }]);
    expect(tab.isStreaming()).toBe(false);
  });
});

it('a tab without others has a stream of its own', async () => {
  const tab = openTab(leadAlone);
  tab.live.connect(null, false);
  await tab.push(sync);
  expect(tab.received).toEqual([sync]);
  expect(tab.live.isLeading()).toBe(true);
  tab.live.stop();
  expect(tab.isStreaming()).toBe(false);
});
