import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import { paths } from '../../shared/contract/paths.ts';
import type { Message, Operation, Ticket } from '../../shared/contract/tickets.ts';
import { type Browser, createBrowser } from '../faults/customers/browser.ts';
import { readTickets, type ServiceAccess } from '../support/service-api.ts';
import type { Stack } from '../support/stack.ts';

/** One text that a customer has sent. */
interface Sent {
  browser: Browser;
  key: string;
  text: string;
  /** One for each attempt; null when the connection broke or there was none. */
  statuses: (number | null)[];
}

/** How one text ended: `forgotten` when the BFF does not know it. */
interface Ended {
  text: string;
  end: 'done' | 'undecided' | 'rejected' | 'forgotten';
}

/** For a stack under load: many requests come from one address. */
export const loadEnv = {
  LOG_LEVEL: 'info',
  LIMIT_REQUESTS_PER_IP: '1000000',
  LIMIT_MESSAGES_PER_SESSION: '1000000',
};

const customers = 6;
const retryMs = 100;
const lookMs = 100;

/**
 * Customers who each open a ticket and then write one reply after the other until `stop`. As the app does, each sends a
 * text again with the same key while it has no answer. Resolves once every ticket is at the service.
 */
export async function startLoad({ bffUrl }: Pick<Stack, 'bffUrl'>) {
  const dispatcher = new Agent();
  const sent: Sent[] = [];
  let url = bffUrl;
  const stopping = new AbortController();

  async function send(browser: Browser, path: string, text: string, body: object) {
    const { key, statuses } = { key: randomUUID(), statuses: [] as Sent['statuses'] };
    sent.push({ browser, key, text, statuses });
    while (!stopping.signal.aborted) {
      const answer = await browser.ask<Ticket | Message>('POST', path, { key, body });
      statuses.push(answer?.status ?? null);
      if (answer && answer.status < 500) return answer.data;
      await sleep(retryMs);
    }
    return undefined;
  }

  async function converse(browser: Browser, ticketId: string) {
    while (!stopping.signal.aborted) {
      const text = `Reply ${randomUUID()}`;
      await send(browser, paths.messages(ticketId), text, { body: text });
    }
  }

  async function open(nth: number) {
    const browser = createBrowser({ bffUrl: () => url, address: '127.0.0.1', dispatcher });
    const text = `Ticket ${randomUUID()}`;
    const body = { subject: text, description: text, customer_email: `customer-${nth}@example.com` };
    const ticket = await send(browser, paths.tickets, text, body);
    return { browser, ticketId: ticket!.id! };
  }

  const opened = await Promise.all(Array.from({ length: customers }, (_, nth) => open(nth)));
  const writing = opened.map(({ browser, ticketId }) => converse(browser, ticketId));

  async function endOf({ browser, key, text }: Sent): Promise<Ended> {
    for (; ; await sleep(lookMs)) {
      const answer = await browser.ask<Operation>('GET', paths.operation(key));
      if (answer?.status === 404) return { text, end: 'forgotten' };
      const { state, can_retry } = answer?.data ?? {};
      if (state === 'done' || state === 'rejected') return { text, end: state };
      if (can_retry) return { text, end: 'undecided' };
    }
  }

  return {
    sent,
    /** Resolves once so many more texts have been answered. */
    async more(count: number) {
      const answered = () => sent.filter(({ statuses }) => statuses.at(-1) === 201).length;
      for (const goal = answered() + count; answered() < goal; await sleep(lookMs));
    },
    /** Sends go to this BFF from now on. */
    turnTo(next: string) {
      url = next;
    },
    /** Each customer ends with the text that is being sent. */
    async stop() {
      stopping.abort();
      await Promise.all(writing);
    },
    /** How each text ended; waits for those that are still being delivered. */
    ends: () => Promise.all(sent.map(endOf)),
    close: () => dispatcher.destroy(),
  };
}

/** Every text of the newest 50 tickets at the service, without lines for agents, as often as it is there. */
export async function textsAtService(service: ServiceAccess): Promise<string[]> {
  const tickets = await readTickets(service);
  return tickets.flatMap(({ description, messages }) => [description, ...messages.map(({ body }) => body)]);
}
