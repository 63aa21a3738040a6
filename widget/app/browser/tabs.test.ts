import { afterEach, describe, expect, it, vi } from 'vitest';
import type { JoinTabs } from '../live/live.ts';
import { joinTabs } from './tabs.ts';
import { settle } from '../testing/fakes.ts';

type LockRequest = LockManager['request'];

/** Web Locks, limited to one exclusive lock: a queue, `steal` and `signal`. */
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
    })) as LockRequest;
  return { request };
}

const stub = (locks?: { request: LockRequest }) => vi.stubGlobal('navigator', { locks });

afterEach(() => vi.unstubAllGlobals());

function openTab(name: string, log: string[], isAlone = false) {
  const events: Parameters<JoinTabs>[0] = {
    onMessage: () => {},
    onLead: () => log.push(`${name} leads`),
    onLost: () => log.push(`${name} lost`),
  };
  return joinTabs(events, isAlone);
}

describe('the tabs', () => {
  it('become the leader one after the other: at once if urgent, else when the leader leaves [live-1]', async () => {
    stub(fakeLocks());
    const log: string[] = [];
    const [first, second, third] = ['first', 'second', 'third'].map((name) => openTab(name, log));
    first!.requestLead(false);
    second!.requestLead(false);
    await settle();
    third!.requestLead(true);
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

  it('that have left never become the leader', async () => {
    stub(fakeLocks());
    const log: string[] = [];
    const [first, second] = ['first', 'second'].map((name) => openTab(name, log));
    first!.requestLead(false);
    second!.requestLead(false);
    second!.leave();
    first!.leave();
    await settle();
    expect(log).toEqual(['first leads']);
  });

  it.each([
    ['Web Locks are missing', undefined],
    ['they are denied', { request: () => Promise.reject(new DOMException('', 'SecurityError')) }],
  ])('are each a leader of their own if %s', async (_why, locks) => {
    stub(locks);
    const log: string[] = [];
    for (const name of ['first', 'second']) openTab(name, log).requestLead(false);
    await settle();
    expect(log).toEqual(['first leads', 'second leads']);
  });

  it('are each a leader of their own without a channel, or with a session of their own', async () => {
    stub(fakeLocks());
    const log: string[] = [];
    for (const name of ['first', 'second']) openTab(name, log, true).requestLead(false);
    vi.stubGlobal('BroadcastChannel', function refuse() {
      throw new DOMException('', 'SecurityError');
    });
    openTab('third', log).requestLead(false);
    await settle();
    expect(log).toEqual(['first leads', 'second leads', 'third leads']);
  });
});
