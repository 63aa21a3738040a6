import { afterEach, describe, expect, it, vi } from 'vitest';
import type { JoinTabs } from './state/live.ts';
import { joinTabs } from './tabs.ts';
import { settle } from './testing/fakes.ts';

type Request = LockManager['request'];

/** Web Locks, as far as one exclusive lock goes: a queue, `steal` and `signal`. */
function fakeLocks() {
  let end: ((error?: DOMException) => void) | null = null;
  const queue: (() => void)[] = [];
  const request = ((_name: string, options: LockOptions, run: () => Promise<void>) =>
    new Promise<void>((resolve, reject) => {
      const grant = () => {
        const release = (error?: DOMException) => {
          if (end === release) end = null;
          if (error) reject(error);
          else resolve();
          if (!end) queue.shift()?.();
        };
        const last = end;
        end = release;
        last?.(new DOMException('stolen', 'AbortError'));
        void run().then(() => release());
      };
      options.signal?.addEventListener('abort', () => {
        if (queue.includes(grant)) queue.splice(queue.indexOf(grant), 1);
        reject(options.signal!.reason as Error);
      });
      if (options.steal || !end) grant();
      else queue.push(grant);
    })) as Request;
  return { request };
}

const stub = (locks?: { request: Request }) => vi.stubGlobal('navigator', { locks });

afterEach(() => vi.unstubAllGlobals());

function openTab(name: string, log: string[], isAlone = false) {
  const events: Parameters<JoinTabs>[0] = {
    onWord: () => {},
    onLead: () => log.push(`${name} leads`),
    onLost: () => log.push(`${name} lost`),
  };
  return joinTabs(events, isAlone);
}

describe('the tabs', () => {
  it('lead one after the other: at once when urgent, else when the leader leaves', async () => {
    stub(fakeLocks());
    const log: string[] = [];
    const [first, second, third] = ['first', 'second', 'third'].map((name) => openTab(name, log));
    first!.ask(false);
    second!.ask(false);
    await settle();
    third!.ask(true);
    await settle();
    expect(log.splice(0)).toEqual(['first leads', 'third leads', 'first lost']);
    third!.leave();
    await settle();
    expect(log.splice(0)).toEqual(['second leads']);
    second!.leave();
    await settle();
    expect(log.splice(0)).toEqual(['first leads']);
    first!.leave();
  });

  it('that have left wait for nothing', async () => {
    stub(fakeLocks());
    const log: string[] = [];
    const [first, second] = ['first', 'second'].map((name) => openTab(name, log));
    first!.ask(false);
    second!.ask(false);
    second!.leave();
    first!.leave();
    await settle();
    expect(log).toEqual(['first leads']);
  });

  it.each([
    ['Web Locks are missing', undefined],
    ['they are denied', { request: () => Promise.reject(new DOMException('', 'SecurityError')) }],
  ])('each lead themselves where %s', async (_why, locks) => {
    stub(locks);
    const log: string[] = [];
    for (const name of ['first', 'second']) openTab(name, log).ask(false);
    await settle();
    expect(log).toEqual(['first leads', 'second leads']);
  });

  it('each lead themselves where no channel can be had, and where the session is their own', async () => {
    stub(fakeLocks());
    const log: string[] = [];
    for (const name of ['first', 'second']) openTab(name, log, true).ask(false);
    vi.stubGlobal('BroadcastChannel', function refuse() {
      throw new DOMException('', 'SecurityError');
    });
    openTab('third', log).ask(false);
    await settle();
    expect(log).toEqual(['first leads', 'second leads', 'third leads']);
  });
});
