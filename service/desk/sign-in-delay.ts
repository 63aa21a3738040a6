import { LRUCache } from 'lru-cache';

/** After `free` failures each next attempt waits: a second, then twice as long each time, at most `maxMs`. */
interface Rule {
  free: number;
  maxMs: number;
}

/** An attempt to sign in. */
export interface Attempt {
  /** As typed; there may be no such agent. */
  email: string;
  /** The network address. */
  client: string;
  /** The browser's id when this agent has signed in with it before. */
  knownBrowser: string | null;
}

interface Failures {
  count: number;
  lastAtMs: number;
}

const maxKeys = 10_000;
/** Failures are forgotten when none has followed for this time. */
const forgetMs = 3_600_000;

/** Failures by key, in memory; the keys that were not tried for longest are forgotten first. */
class FailureDelay {
  readonly #rule: Rule;
  readonly #failures = new LRUCache<string, Failures>({ max: maxKeys });

  constructor(rule: Rule) {
    this.#rule = rule;
  }

  waitMs(key: string, nowMs: number): number {
    const { count, lastAtMs } = this.#of(key, nowMs);
    const { free, maxMs } = this.#rule;
    if (count < free) return 0;
    return Math.max(0, lastAtMs + Math.min(1_000 * 2 ** (count - free), maxMs) - nowMs);
  }

  add(key: string, nowMs: number): void {
    this.#failures.set(key, { count: this.#of(key, nowMs).count + 1, lastAtMs: nowMs });
  }

  takeBack(key: string): void {
    const known = this.#failures.get(key);
    if (known) this.#failures.set(key, { ...known, count: Math.max(0, known.count - 1) });
  }

  forget(key: string): void {
    this.#failures.delete(key);
  }

  #of(key: string, nowMs: number): Failures {
    const known = this.#failures.get(key);
    if (!known || nowMs - known.lastAtMs >= forgetMs) return { count: 0, lastAtMs: nowMs };
    // The clock was set back: the wait must not last until it reaches the old time again.
    if (known.lastAtMs > nowMs) known.lastAtMs = nowMs;
    return known;
  }
}

/**
 * Makes guessing passwords slow. A browser that the agent has used before is counted by itself, so that nobody else can
 * make it wait, not even from the same network. All others are counted by agent and address together, by address, and
 * by agent; that last wait is short, since a stranger can cause it.
 */
export class SignInDelay {
  readonly #byBrowser = new FailureDelay({ free: 5, maxMs: 300_000 });
  readonly #byAgentAndClient = new FailureDelay({ free: 5, maxMs: 300_000 });
  readonly #byClient = new FailureDelay({ free: 20, maxMs: 60_000 });
  readonly #byAgent = new FailureDelay({ free: 50, maxMs: 10_000 });

  /**
   * Counts an attempt as failed, before it is checked: so simultaneous attempts count too.
   * @returns 0 when it may be checked now; else the milliseconds to wait, and nothing was counted
   */
  begin(attempt: Attempt, nowMs: number): number {
    const counts = this.#countsOf(attempt);
    const waitMs = Math.max(...counts.map(([delay, key]) => delay.waitMs(key, nowMs)));
    if (waitMs === 0) for (const [delay, key] of counts) delay.add(key, nowMs);
    return waitMs;
  }

  /** The attempt succeeded. A sign-in does not clear the failures of other people or other agents. */
  succeed(attempt: Attempt): void {
    const [own, ...shared] = this.#countsOf(attempt);
    own[0].forget(own[1]);
    for (const [delay, key] of shared) delay.takeBack(key);
  }

  /** The first key is for this agent at this place only. */
  #countsOf({ email, client, knownBrowser }: Attempt): [[FailureDelay, string], ...[FailureDelay, string][]] {
    const agent = email.toLowerCase();
    if (knownBrowser !== null) return [[this.#byBrowser, `${knownBrowser} ${agent}`]];
    return [
      [this.#byAgentAndClient, `${client} ${agent}`],
      [this.#byClient, client],
      [this.#byAgent, agent],
    ];
  }
}
