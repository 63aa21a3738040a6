import type { Sent } from '../../faults/customers/sent.ts';
import { judge } from '../../faults/judging/judge.ts';
import type { StoredTicket } from '../../faults/servers/service.ts';
import type { AgentAnswer } from '../agent.ts';
import type { CustomerLog } from '../customers.ts';
import type { Happened } from '../events.ts';
import type { StreamLog } from '../stream.ts';

/**
 * A stream that stays open this long after an answer must have sent it, because freezes and cuts are shorter.
 * Milliseconds.
 */
const streamBringsWithinMs = 30_000;

export interface Evidence {
  customers: readonly Pick<CustomerLog, 'number' | 'sent' | 'stream' | 'foreign'>[];
  stored: readonly StoredTicket[];
  answers: readonly AgentAnswer[];
  happened: readonly Happened[];
  /** Errors of the store and of the answers given while it was away, one line each. */
  storeFaults: readonly string[];
  /** Instances that ended by themselves, one line each. */
  crashes: readonly string[];
}

/**
 * Milliseconds from an agent's answer to the customer's stream, by what happened meanwhile: nothing (`calm`), something to all, or to
 * one instance, the one that the stream led to or another one.
 */
export type Delays = Map<string, number[]>;

export interface Verdict {
  /** Each fault in one line, by its class. */
  faults: Record<'lost' | 'duplicated' | 'other' | 'foreign' | 'unheard' | 'store' | 'crashed', string[]>;
  delays: Delays;
  sends: Sent[];
}

/** The result of the run: whether anything was lost, came twice, or came to another customer. */
export function audit({ customers, stored, answers, happened, storeFaults, crashes }: Evidence): Verdict {
  const sends = customers.flatMap(({ sent }) => sent);
  // As with a full disk: another instance must look up an outcome again if the reporting instance could not record it.
  const wrong = judge({ sent: sends, stored, wasRefused: () => false, wasDiskFull: true });
  const isOf = (name: string) => (line: string) => line.startsWith(name);
  const delays: Delays = new Map();
  const unheard: string[] = [];
  for (const answer of answers) {
    const { stream } = customers[answer.customer]!;
    unheard.push(...missed(answer, stream));
    const receivedAt = stream.receivedAt.get(answer.messageId);
    if (receivedAt === undefined) continue;
    const meanwhile = whatHappened(happened, stream, answer.atMs, receivedAt);
    delays.set(meanwhile, [...(delays.get(meanwhile) ?? []), receivedAt - answer.atMs]);
  }
  return {
    faults: {
      lost: wrong.filter(isOf('lost')),
      duplicated: wrong.filter(isOf('duplicated')),
      other: wrong.filter((line) => !isOf('lost')(line) && !isOf('duplicated')(line)),
      foreign: customers.flatMap(({ foreign }) => foreign),
      unheard,
      store: [...storeFaults],
      crashed: [...crashes],
    },
    delays,
    sends,
  };
}

function whatHappened(
  happened: readonly Happened[],
  { lives }: StreamLog,
  atMs: number,
  receivedAt: number,
): string {
  const event = happened.findLast(({ fromMs, toMs }) => fromMs <= receivedAt && toMs >= atMs);
  if (!event) return 'calm';
  if (event.port === null) return event.kind;
  const { fromMs, port } = event;
  const own = lives.findLast((life) => life.fromMs <= Math.max(atMs, fromMs));
  return `${event.kind}: ${own?.port === port ? 'this' : 'another'} instance`;
}

function missed({ customer, messageId, atMs }: AgentAnswer, stream: StreamLog): string[] {
  if (!stream.receivedAt.has(messageId)) return [`answer ${messageId} never came to customer ${customer}`];
  const { lives, receivedIn } = stream;
  const skipped = lives.findIndex(({ fromMs, toMs }) => fromMs < atMs && toMs > atMs + streamBringsWithinMs);
  return skipped < 0 || receivedIn[skipped]!.has(messageId)
    ? []
    : [`answer ${messageId} to customer ${customer} came by another stream than the one that was open`];
}
