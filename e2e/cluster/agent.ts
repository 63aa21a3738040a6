import { setTimeout as sleep } from 'node:timers/promises';
import type { FakeService } from '../../scripts/fake-service.ts';
import type { CustomerLog } from './customers.ts';
import { markerOf } from './plan.ts';

export interface AgentAnswer {
  customer: number;
  messageId: string;
  /** As `performance.now()`. */
  atMs: number;
}

/**
 * Answers customers who have a conversation on screen, at this rate per second, until `untilMs` of `performance.now()`.
 */
export async function answerCustomers(options: {
  service: FakeService;
  customers: readonly CustomerLog[];
  perSecond: number;
  untilMs: number;
  answers: AgentAnswer[];
}): Promise<void> {
  const { service, customers, perSecond, untilMs, answers } = options;
  while (performance.now() < untilMs) {
    await sleep((1_000 / perSecond) * 2 * Math.random());
    const listening = customers.filter(({ stream }) => stream.lives.length > 0);
    const one = listening[Math.floor(Math.random() * listening.length)];
    if (!one) continue;
    const body = `${markerOf(one.number)} answer ${answers.length}`;
    const atMs = performance.now();
    const { id } = service.addMessage(one.ticketId!, 'agent', body);
    answers.push({ customer: one.number, messageId: id, atMs });
  }
}
