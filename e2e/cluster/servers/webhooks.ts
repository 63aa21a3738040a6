import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';

/** The first retry of `service/webhooks/`. Its next one is minutes later. */
const againMs = 5_000;
const patienceMs = 15_000;

/** Sends a webhook to `url` for each ticket that has changed. */
export function startWebhooks(url: string) {
  const dispatcher = new Agent({ connections: 64 });
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  const counts = { taken: 0, refused: 0, lost: 0 };

  async function deliver(ticketId: string): Promise<boolean> {
    try {
      const { statusCode, body } = await request(url, {
        method: 'POST',
        dispatcher,
        signal: stopping.signal,
        headersTimeout: patienceMs,
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ type: 'ticket.message.created', data: { ticket_id: ticketId } }),
      });
      await body.dump();
      return statusCode < 300;
    } catch {
      return false;
    }
  }

  async function notify(ticketId: string): Promise<void> {
    if (await deliver(ticketId)) counts.taken += 1;
    else {
      counts.refused += 1;
      await sleep(againMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
      if (!(await deliver(ticketId))) counts.lost += 1;
    }
  }

  return {
    notify: (ticketId: string): void => void notify(ticketId),
    /** Deliveries that were accepted at once, that were not, and that were not accepted the second time either. */
    counts: (): Readonly<typeof counts> => counts,
    async stop(): Promise<void> {
      stopping.abort();
      await dispatcher.destroy();
    },
  };
}
