import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Agent, request } from 'undici';
import type { Time } from '../time/time.ts';

/** No commit happens after this share of the settle time, because the promises do not cover later commits. */
const latestShare = 0.6;

export interface ForwarderOptions {
  time: Time;
  serviceUrl: string;
  apiKey: string;
  settleMs: number;
  onFault: (name: string) => void;
}

/** What the service has answered. */
interface Answer {
  status: number;
  body: Buffer;
}

/** A call as it came from the BFF. */
export interface ForwardedCall {
  method: string;
  path: string;
  body: Buffer;
  arrivedAt: number;
}

/** Passes calls on to the service, at once or late, and measures how long writes took to be committed. */
export function createForwarder({ time, serviceUrl, apiKey, settleMs, onFault }: ForwarderOptions) {
  const agent = new Agent();
  const late = new Set<Promise<void>>();
  const lag = monitorEventLoopDelay();
  lag.enable();
  let slowest = 0;

  /** What the service answers; null when it cannot be asked. */
  async function forward({ method, path, body, arrivedAt }: ForwardedCall): Promise<Answer | null> {
    try {
      const response = await request(serviceUrl + path, {
        method: method as 'GET' | 'POST',
        dispatcher: agent,
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: method === 'POST' ? body : null,
      });
      const answer = { status: response.statusCode, body: Buffer.from(await response.body.arrayBuffer()) };
      if (method === 'POST') slowest = Math.max(slowest, time.now() - arrivedAt);
      return answer;
    } catch {
      return null;
    }
  }

  return {
    forward,
    forwardLate(call: ForwardedCall, lateMs: number): void {
      const committed = (async () => {
        await time.sleep(lateMs);
        const isTooLate = time.now() - call.arrivedAt > settleMs * latestShare;
        if (isTooLate) onFault('late commit dropped: past what is promised');
        else await forward(call);
      })();
      late.add(committed);
      void committed.finally(() => late.delete(committed));
    },
    /**
     * Waits for late commits. Returns the longest time that may have passed from a write's arrival to its commit: the
     * measured time, plus the time for which this process was delayed in measuring.
     */
    async settle(): Promise<number> {
      await Promise.all(late);
      return slowest + time.speed * (lag.max / 1e6);
    },
    async stop(): Promise<void> {
      lag.disable();
      await agent.destroy();
    },
  };
}
