import { describe, expect, it, vi } from 'vitest';
import type { ServerEvent } from '../api/shapes.ts';
import { fakeBrowser } from '../testing/fake-browser.ts';
import { aSession, aTicket, fakeApi, fakeClock, http, leadAlone, settle } from '../testing/fakes.ts';
import type { JoinTabs, TabMessage } from './live.ts';
import { createLive } from './live.ts';

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
  const heard: ServerEvent[] = [];
  const poll = vi.fn<() => Promise<boolean>>(async () => true);
  const onUnauthenticated = vi.fn<() => void>();
  let known: ServerEvent | null = null;
  const live = createLive({
    api: server.api,
    clock,
    join,
    onEvent(event) {
      heard.push(event);
      if (event.name === 'sync') known = event;
    },
    begin: () => ({ after: null, since: 0 }),
    snapshot: () => known,
    poll,
    onUnauthenticated,
  });
  return { live, clock, heard, poll, onUnauthenticated, ...server };
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
  first.heard.length = 0;
  second.heard.length = 0;
  return { first, second, join };
}

const hasStream = (...tabs: ReturnType<typeof openTab>[]) => tabs.map((tab) => tab.isStreaming());

describe('the tabs of a browser', () => {
  it('have one stream, in the tab opened last, and all get its events [live-2]', async () => {
    const { first, second } = await twoWindows();
    expect(hasStream(first, second)).toEqual([false, true]);
    await second.push(ticket);
    expect(second.heard).toEqual([ticket]);
    expect(first.heard).toEqual([ticket]);
    expect(first.live.status.value).toBe('stream');
  });

  it('replace a leader that closes, with a stream that begins with the full state [live-3]', async () => {
    const { first, second } = await twoWindows();
    second.live.stop();
    expect(hasStream(first, second)).toEqual([true, false]);
    await first.push(sync);
    expect(first.heard).toEqual([sync]);
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
    expect(third.heard).toEqual([sync]);
    expect(hasStream(first, second, third)).toEqual([false, true, false]);
    await second.push(ticket);
    expect(third.heard).toEqual([sync, ticket]);
  });

  it('get the leader’s status and the results of its polling', async () => {
    const { first, second } = await twoWindows();
    second.poll.mockResolvedValue(false);
    second.live.connect('t1', true);
    await second.clock.advance(3_000);
    await settle();
    expect(first.live.isLate.value).toBe(true);
    second.poll.mockResolvedValue(true);
    await second.clock.advance(15_000);
    expect(first.live.status.value).toBe('polling');
    expect(first.heard).toEqual([sync]);
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

  it('do not read it when the leader follows it too, nor while hidden', async () => {
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
    expect(first.heard).toEqual([]);
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
    expect(tabs[1].heard).toEqual([]);
  });
});

describe('a message from another tab', () => {
  /** A tab that follows; `hear` says to it what a test likes. */
  function follow() {
    const said: TabMessage[] = [];
    let hear: (message: unknown) => void = () => {};
    const tab = openTab(({ onMessage }) => {
      hear = onMessage;
      return { broadcast: (message) => said.push(message), requestLead() {}, leave() {} };
    });
    tab.live.connect(null, false);
    return { ...tab, said, hear };
  }
  const news = { term: 0.1, thread: null, status: 'stream' as const };

  it('is applied only from the leader whose first event was received [live-4]', () => {
    const { heard, hear } = follow();
    hear({ ...news, event: ticket });
    expect(heard).toEqual([]);
    hear({ ...news, event: sync });
    hear({ ...news, event: ticket });
    const other = syncOf('Of somebody else');
    hear({ ...news, term: 0.2, event: other });
    hear({ ...news, event: ticket });
    expect(heard).toEqual([sync, ticket, other]);
  });

  it.each([
    null,
    'state',
    {},
    { ...news, event: { name: 'sync', data: {} } },
    { ...news, event: { name: 'toString', data: {} } },
    { ...news, status: 'loud', event: sync },
    { ...news, status: undefined, event: sync },
  ])('is ignored when its shape is unknown: %j', (word) => {
    const { heard, hear, live } = follow();
    hear(word);
    expect(heard).toEqual([]);
    expect(live.status.value).toBe('off');
  });

  it('that takes the lead makes the last leader ask for the state, since it may have been frozen', () => {
    const said: TabMessage[] = [];
    let lose = () => {};
    const tab = openTab(({ onLead, onLost }) => {
      lose = onLost;
      return { broadcast: (message) => said.push(message), requestLead: onLead, leave() {} };
    });
    tab.live.connect(null, true);
    lose();
    expect(said).toEqual([{ ask: 'state' }]);
    expect(tab.isStreaming()).toBe(false);
  });
});

it('a tab without others has a stream of its own', async () => {
  const tab = openTab(leadAlone);
  tab.live.connect(null, false);
  await tab.push(sync);
  expect(tab.heard).toEqual([sync]);
  expect(tab.live.isLeading()).toBe(true);
  tab.live.stop();
  expect(tab.isStreaming()).toBe(false);
});
