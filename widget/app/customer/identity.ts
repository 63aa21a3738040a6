import type { Session } from '../../../shared/contract/session.ts';
import type { WidgetEvent } from '../../bridge/messages.ts';
import type { Api } from '../api/client.ts';
import { backoffMs, type Clock, createPause } from '../browser/clock.ts';
import type { Store } from '../browser/storage.ts';
import type { Browser } from '../browser/browser.ts';
import type { OutboxModel } from '../outbox/outbox.ts';
import type { SessionModel } from './session.ts';
import { action, batch, type Signal, signal } from '@preact/signals';

const askEveryMs = 30_000;
const answerWithinMs = 10_000;
const slowAfterMs = 4_000;

/** Stored: the end of the token that was exchanged last, and its owner. */
const exchangedName = 'exchanged';

export interface IdentityOptions extends Pick<Browser, 'clock' | 'storage' | 'lock'> {
  api: Api;
  session: SessionModel;
  outbox: OutboxModel;
  /** The page has called `identify` already; its token will follow. */
  isExpected: boolean;
  /** Asks the host page for a fresh token. */
  askForToken: () => void;
  /** Asks the BFF who the customer is. */
  load: () => Promise<void>;
  /** Takes the session that a token was exchanged for. */
  onSession: (session: Session) => void;
  /** Nobody is signed in here any more. */
  onEnd: () => void;
  onEvent: (event: WidgetEvent) => void;
}

/**
 * Exchanges the tokens of the site's server for sessions, and renews a session that has ended.
 * SECURITY: after the page has called `identify`, the present session may belong to somebody else until the BFF has
 * answered. Until then nothing of it is shown or used. It ends when no token comes or the token is refused.
 * A page may give the same token to several frames or tabs, and the BFF accepts it once. So one of them exchanges it at a
 * time, and the others take its session.
 */
export function createIdentity(options: IdentityOptions) {
  const { api, clock, storage, lock, session, outbox, isExpected } = options;
  const { askForToken, load, onSession, onEnd, onEvent } = options;
  /** Whether the page can give tokens. Null: the customer has left, and the page has not called `identify` since. */
  let canGiveTokens: boolean | null = false;
  let askedAt = -Infinity;
  let renewal: Promise<boolean> | null = null;
  let endRenewal: (isSame: boolean) => void = () => {};
  const queue = createQueue();
  /** Number of the newest token. Attempts with an older one stop. */
  let newest = 0;
  /** Ends the wait of a token for the running send. */
  let stopWaitingForSend = () => {};
  const pause = createPause(clock);
  const { isPending } = session;
  const pending = createPending(isPending, clock);

  const fail = (code: string) => onEvent({ name: 'error', detail: { code } });

  /** A token is on its way. */
  const wait = () =>
    pending.begin(() => {
      fail('identify_failed');
      void giveUp();
    });

  async function exchange(token: string, number: number) {
    // A running send belongs to the present session, so it ends first. But a send that waits for the renewal of its
    // session cannot end before this token has been exchanged.
    if (!renewal)
      await new Promise<void>((resolve) => {
        stopWaitingForSend = resolve;
        void outbox.idle().then(resolve);
      });
    await lock(() => exchangeAlone(token, number), 'identity');
  }

  async function exchangeAlone(token: string, number: number) {
    const before = session.owner.peek();
    for (let attempts = 1; number === newest; attempts += 1) {
      const theirs = await sessionOf(token, api, storage);
      if (number !== newest) return;
      const result = theirs ? { ok: true as const, value: theirs } : await api.identify(token);
      if (number !== newest && !result.ok) return;
      if (result.ok) {
        batch(() => {
          storage.write(exchangedName, { end: token.slice(-16), owner: result.value.customer?.owner });
          session.setEnding(false);
          onSession(result.value);
          release(number);
        });
        return endRenewal(session.owner.peek() === before);
      }
      if (!result.error.retryable) {
        const { code } = result.error;
        if (code === 'unauthenticated' && (await sessionOf(token, api, storage))) continue;
        // The answer to an earlier attempt may have been lost: the token is then used up, and a fresh one is needed.
        if (attempts > 1 && code === 'unauthenticated') {
          wait();
          return askForToken();
        }
        fail(code ?? 'internal');
        endRenewal(false);
        void giveUp();
        return;
      }
      pending.isSlow.value = true;
      await pause.wait(backoffMs(attempts));
    }
  }

  /** The page has identified nobody: a signed-in customer's session ends, an anonymous customer keeps theirs. */
  async function giveUp() {
    const number = (newest += 1);
    pending.begin();
    pause.end();
    const isUnknown = () => session.owner.peek() === undefined && !session.isEnding();
    for (let attempts = 1; isUnknown(); attempts += 1) {
      await load();
      if (isUnknown()) await pause.wait(backoffMs(attempts));
      if (number !== newest) return;
    }
    if (session.owner.peek()) {
      session.setEnding(true);
      onEnd();
    }
    if (session.isEnding()) await end(number);
    else release(number);
  }

  const isNewest = (number: number) => number === newest;
  const release = (number: number) => {
    if (isNewest(number)) pending.end();
  };

  /** Ends the session at the BFF, however many attempts that takes. A newer token stops them: it replaces the session. */
  const end = (number: number) =>
    queue.run(async () => {
      for (let attempts = 1; isNewest(number); attempts += 1) {
        const result = await api.signOut();
        if (result.ok) {
          api.dropToken();
          session.setEnding(false);
          release(number);
          void load();
          return;
        }
        await pause.wait(backoffMs(attempts));
      }
    });

  function expect() {
    canGiveTokens ??= false;
    newest += 1;
    pause.end();
    wait();
  }

  return {
    isSlow: pending.isSlow,
    /** Whether a token is expected while it is not known yet if anybody is signed in: the BFF must be asked. */
    isUnknown: () => isPending.peek() && session.owner.peek() === undefined,
    start() {
      if (session.isEnding()) void giveUp();
      if (isExpected) expect();
    },
    /** The page has called `identify`. */
    expect,
    /** Exchanges a token, after all before it. Resolves when it was exchanged or refused. */
    identify(token: string) {
      // SECURITY: the page was asked for it before the customer left.
      if (canGiveTokens === null) return queue.idle();
      // The host page can give tokens, even if this one is refused.
      canGiveTokens = true;
      const number = (newest += 1);
      if (!renewal) pending.begin();
      pause.end();
      return queue.run(() => exchange(token, number));
    },
    /** The page has no token to give, or the customer does not want to wait for one. */
    giveUp,
    refuse() {
      endRenewal(false);
      if (isPending.peek()) void giveUp();
    },
    /** Runs a request while no token is exchanged. Two answers at once would both set a cookie, and the later one stays. */
    runInQueue: queue.run,
    /** Resolves when no token is expected or exchanged, so that it is known whose session this is. */
    async whenSettled() {
      do {
        if (isPending.peek()) await pending.whenOver();
        await queue.idle();
      } while (isPending.peek());
    },
    /** The network is back: the next attempt begins at once. */
    wake: pause.end,
    /**
     * True when the host page has given a fresh token for the same customer. It is asked at most once in 30 seconds;
     * never before it has identified anybody, nor after the customer has signed out.
     */
    renew(): Promise<boolean> {
      if (renewal) return renewal;
      if (!canGiveTokens || session.hasLeft() || clock.now() - askedAt < askEveryMs)
        return Promise.resolve(false);
      askedAt = clock.now();
      renewal = new Promise((resolve) => {
        const cancel = clock.after(answerWithinMs, () => endRenewal(false));
        endRenewal = (isSame) => {
          cancel();
          renewal = null;
          resolve(isSame);
        };
      });
      stopWaitingForSend();
      askForToken();
      return renewal;
    },
    /** Ignores all tokens that are on their way. Returns a number for `release`, which ends the wait for them. */
    forget() {
      canGiveTokens = null;
      endRenewal(false);
      pause.end();
      return (newest += 1);
    },
    release,
  };
}

/** The session that another frame or tab has got for this token; null if there is none, or somebody else's. */
async function sessionOf(token: string, api: Api, storage: Store): Promise<Session | null> {
  const { end, owner } = Object(storage.read(exchangedName)) as Record<string, unknown>;
  if (end !== token.slice(-16) || !owner) return null;
  const found = await api.session();
  return found.ok && found.value.customer?.owner === owner ? found.value : null;
}

/** The wait until it is known whose session this is. */
function createPending(isPending: Signal<boolean>, clock: Clock) {
  const isSlow = signal(false);
  const waiting = new Set<() => void>();
  let cancel = () => {};

  return {
    isSlow,
    /** `onLate` is called if the wait has not ended or begun again in ten seconds. */
    begin: action((onLate?: () => void) => {
      cancel();
      isPending.value = true;
      isSlow.value = false;
      const stopSlow = clock.after(slowAfterMs, () => (isSlow.value = true));
      const stopLate = onLate && clock.after(answerWithinMs, onLate);
      cancel = () => {
        stopSlow();
        stopLate?.();
      };
    }),
    end: action(() => {
      cancel();
      isPending.value = false;
      for (const go of waiting) go();
      waiting.clear();
    }),
    whenOver: () => new Promise<void>((resolve) => waiting.add(resolve)),
  };
}

/** A queue of asynchronous functions, run one at a time. */
function createQueue() {
  let last: Promise<unknown> = Promise.resolve();
  return {
    /** Runs a function after all before it. Returns its result. */
    run<T>(job: () => Promise<T>): Promise<T> {
      const result = last.then(job);
      last = result;
      return result;
    },
    /** Resolves when the queue is empty. */
    async idle() {
      let seen;
      do await (seen = last);
      while (seen !== last);
    },
  };
}
