import type { Sent } from '../faults/customers/sent.ts';
import { judge } from '../faults/judging/judge.ts';
import type { StoredTicket } from '../faults/servers/service.ts';
import type { StreamLog } from './stream.ts';

/**
 * A stream that stays open this long after an answer must have sent it, because freezes and cuts are shorter.
 * Milliseconds.
 */
const streamBringsWithinMs = 30_000;

/** What an agent has written. */
export interface AgentAnswer {
  customer: number;
  messageId: string;
  /** As `performance.now()`. */
  atMs: number;
}

export interface Evidence {
  customers: readonly { sent: readonly Sent[]; stream: StreamLog; foreign: readonly string[] }[];
  stored: readonly StoredTicket[];
  answers: readonly AgentAnswer[];
  /** Incomplete records of the store, one line each. */
  storeFaults: readonly string[];
}

/** Whether anything was lost, came twice, or came to another customer: one line each, which begins with its class. */
export function audit({ customers, stored, answers, storeFaults }: Evidence): string[] {
  const sent = customers.flatMap((customer) => customer.sent);
  return [
    ...judge({ sent, stored, wasRefused: () => false, looksAgain: true }),
    ...customers.flatMap(({ foreign }) => foreign).map((line) => `foreign: ${line}`),
    ...answers.flatMap((answer) => missed(answer, customers[answer.customer]!.stream)),
    ...storeFaults.map((line) => `store: ${line}`),
  ];
}

function missed({ customer, messageId, atMs }: AgentAnswer, stream: StreamLog): string[] {
  if (!stream.receivedAt.has(messageId))
    return [`unheard: answer ${messageId} never came to customer ${customer}`];
  const open = stream.lives.find(({ fromMs, toMs }) => fromMs < atMs && toMs > atMs + streamBringsWithinMs);
  return !open || open.received.has(messageId)
    ? []
    : [`unheard: answer ${messageId} to customer ${customer} came by another stream than the open one`];
}
