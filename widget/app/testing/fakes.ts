import { computed, effect, untracked } from '@preact/signals';
import type { Session } from '../../../shared/contract/session.ts';
import type { Message, Ticket, TicketSummary } from '../../../shared/contract/tickets.ts';
import type { WidgetEvent } from '../../bridge/messages.ts';
import type { Api } from '../api/client.ts';
import { type ApiFailure, type Failed, failure } from '../api/result.ts';
import type { ServerEvent } from '../api/shapes.ts';
import { createAccount } from '../account/account.tsx';
import type { AccountApi } from '../account/api.ts';
import type { Clock } from '../browser/clock.ts';
import type { JoinTabs } from '../live/live.ts';
import type { Browser } from '../browser/browser.ts';
import { createModels, type ModelOptions } from '../models.ts';
import { createStore } from '../browser/storage.ts';

/** Runs everything that is already due: promises, and effects after them. */
export const settle = async () => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

/** A clock that does not advance until a test advances it. */
export function fakeClock(): Clock & { advance: (ms: number) => Promise<void> } {
  let now = Date.parse('2026-11-21T12:00:00Z');
  const timers = new Set<{ at: number; run: () => void }>();
  return {
    now: () => now,
    after(ms, run) {
      const timer = { at: now + ms, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    async advance(ms) {
      now += ms;
      for (const timer of [...timers].filter(({ at }) => at <= now)) {
        timers.delete(timer);
        timer.run();
      }
      await settle();
    },
  };
}

/** `localStorage` of one browser, with room for this many characters. */
export function fakeStorage({ room = Infinity } = {}): Storage {
  const values: Record<string, string> = {};
  const methods = {
    getItem: (key: string) => values[key] ?? null,
    setItem(key: string, value: string) {
      const others = Object.entries(values).filter(([name]) => name !== key);
      if ([...others, [key, value]].flat().join('').length > room)
        throw new DOMException('full', 'QuotaExceededError');
      values[key] = value;
    },
    removeItem: (key: string) => delete values[key],
  };
  return new Proxy(methods as unknown as Storage, {
    ownKeys: () => Object.keys(values),
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  });
}

export const http = (code: ApiFailure['code'], more: Partial<ApiFailure> = {}): Failed =>
  failure('http', { code, retryable: false, ...more });
export const offline = failure('network');

export const aMessage = (more: Partial<Message> = {}): Message => ({
  id: 'm1',
  key: null,
  author_type: 'customer',
  body: 'Where is my order?',
  created_at: '2026-11-21T10:00:00Z',
  state: 'done',
  can_retry: false,
  hidden: false,
  ...more,
});

export const aTicket = (more: Partial<TicketSummary> = {}): TicketSummary => ({
  id: 't1',
  key: null,
  ticket_number: 7,
  subject: 'My order',
  status: 'new',
  priority: null,
  created_at: '2026-11-21T10:00:00Z',
  updated_at: '2026-11-21T10:00:00Z',
  unread: 0,
  state: 'done',
  can_retry: false,
  closed: false,
  preview: null,
  ...more,
});

export const aThread = (messages: Message[] = [aMessage()], more: Partial<Ticket> = {}): Ticket => ({
  ...aTicket(),
  messages,
  has_earlier: false,
  before: null,
  after: null,
  read_at: '2026-11-21T10:00:00Z',
  ...more,
});

export const aSession = (isCustomer = true): Session => ({
  customer: isCustomer ? { email: 'ana@example.com', name: 'Ana', verified: false, owner: null } : null,
  unread: 0,
  brand: null,
  claimable: 0,
  transferable: 0,
  moved: false,
  email_code: false,
});

/** Every request of the app, those of its later scripts too. */
export type AnyApi = Api & AccountApi;

/** A BFF that does not answer, except to the calls that a test defines. `push` sends an event on the open stream. */
export function fakeApi(calls: Partial<AnyApi> = {}) {
  let deliver: ((event: ServerEvent) => void) | null = null;
  const threads: (string | null)[] = [];
  const afters: (string | null)[] = [];
  const accountApi: AccountApi = {
    requestCode: async () => offline,
    verifyCode: async () => offline,
    data: async () => offline,
    deleteData: async () => offline,
    devices: async () => offline,
    signOutEverywhere: async () => offline,
    offer: async () => offline,
    offered: async () => offline,
    withdraw: async () => offline,
    confirm: async () => offline,
    redeem: async () => offline,
    ...calls,
  };
  const api: Api = {
    call: async () => offline,
    ofOwner: async () => offline,
    session: async () => ({ ok: true, value: aSession(false) }),
    identify: async () => offline,
    claim: async () => offline,
    transfer: async () => offline,
    dismissMoved: async () => offline,
    signOut: async () => offline,
    isAlone: () => false,
    abandon: () => {},
    dropToken: () => {},
    tickets: async () => offline,
    ticket: async () => offline,
    createTicket: async () => offline,
    reply: async () => offline,
    markRead: async () => ({ ok: true, value: aTicket() }),
    retry: async () => offline,
    events: ({ thread, after }, onEvent, signal) => {
      threads.push(thread);
      afters.push(after);
      deliver = onEvent;
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          if (deliver === onEvent) deliver = null;
          resolve(offline.error);
        });
      });
    },
    ...calls,
  };
  return {
    api,
    accountApi,
    /** Tickets that a stream was opened for, in order. */
    threads,
    /** The messages after which they were to continue. */
    afters,
    isStreaming: () => deliver !== null,
    async push(event: ServerEvent) {
      deliver?.(event);
      await settle();
    },
  };
}

/** A tab without others. */
export const leadAlone: JoinTabs = ({ onLead }) => ({ broadcast() {}, requestLead: onLead, leave() {} });

export const newStore = (storage = fakeStorage()) => createStore(() => storage);

interface FakeModels extends Partial<Omit<Browser, 'connect'> & Omit<ModelOptions, 'browser'>> {
  calls?: Partial<AnyApi>;
  /** Whether the script of the account is there once the customer opens one of its views. */
  hasAccount?: boolean;
}

/** The app's models on fakes, started. */
export function fakeModels({ calls = {}, hasAccount = true, ...more }: FakeModels = {}) {
  const server = fakeApi(calls);
  const events: WidgetEvent[] = [];
  const clock = fakeClock();
  const storage = more.storage ?? newStore();
  let keys = 0;
  const models = createModels({
    browser: {
      connect: () => server.api,
      clock,
      storage,
      lock: more.lock ?? ((run) => run()),
      join: more.join ?? leadAlone,
      newKey: more.newKey ?? (() => `key-${(keys += 1)}`),
    },
    pageUrl: () => undefined,
    isEmbedded: false,
    isExpected: false,
    onEvent: (event) => events.push(event),
    onArrival() {},
    askForToken() {},
    ...more,
  });
  models.start();
  let account: ReturnType<typeof createAccount> | undefined;
  const makeAccount = (create = createAccount) => (account ??= create(models, server.accountApi));
  const isOfAccount = computed(() => ['find', 'handoff', 'data'].includes(models.view.current.value.name));
  if (hasAccount)
    effect(() => {
      if (isOfAccount.value) untracked(makeAccount);
    });
  /** As fetched, once the customer has opened it. */
  const accountOf = () => account!;
  return { models, clock, events, storage, makeAccount, accountOf, ...server };
}
