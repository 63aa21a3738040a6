import { paths } from '../../../shared/contract/paths.ts';
import type { Message, Operation, OperationState, Ticket } from '../../../shared/contract/tickets.ts';
import type { Browser } from './browser.ts';
import type { Sent } from './sent.ts';
import type { Posting } from '../schedules/plan.ts';
import type { Time } from '../time/time.ts';

const retryMs = 1_500;
const reloadMs = 700;
const mostPresses = 2;

export interface OutboxDeps {
  browser: Browser;
  time: Time;
  /** Whether the time of the run is over. Sends that are not settled by then stay unsettled. */
  isOver: () => boolean;
  /** Waits before the state of a send is requested again. */
  pause: () => Promise<void>;
}

/** Records in a send what the BFF answered about it. */
function createSendRecord() {
  const doneSince = new Map<Sent, number>();

  function recordState(send: Sent, state: OperationState, askedAt: number): void {
    // Of two answers in flight, the older may arrive last.
    if (askedAt < (doneSince.get(send) ?? 0)) return;
    if (state === 'done' && !doneSince.has(send)) doneSince.set(send, performance.now());
    if (send.told.at(-1) !== state) send.told.push(state);
  }

  return {
    recordState,
    recordOperation(send: Sent, operation: Operation, askedAt: number): void {
      recordState(send, operation.state, askedAt);
      send.ticketId = operation.ticket_id ?? send.ticketId;
      send.messageId = operation.message_id ?? send.messageId;
      if (operation.can_retry) send.wasUndecided = true;
      if (operation.state === 'done' || operation.state === 'rejected') send.end = operation.state;
      else send.end = operation.can_retry || send.opening?.end === 'undecided' ? 'undecided' : 'unsettled';
    },
    recordRefusal(send: Sent, refusal: string, askedAt: number): void {
      recordState(send, 'rejected', askedAt);
      send.end = 'rejected';
      send.refusal = refusal;
    },
  };
}

/** Sends as the app's outbox does, and follows each send to its end. */
export function createOutbox({ browser, time, isOver, pause }: OutboxDeps) {
  const { recordState, recordOperation, recordRefusal } = createSendRecord();

  /** Repeats a send with the same key until the BFF accepts or refuses it. */
  async function post(
    send: Sent,
    posting: Posting,
    path: string,
    body: object,
    onAnswer: (data: Ticket | Message) => void,
  ): Promise<boolean> {
    const once = (leaveAfterMs?: number) =>
      browser.ask<Ticket | Message>('POST', path, {
        body,
        key: send.key,
        ...(leaveAfterMs ? { leaveAfterMs } : {}),
      });
    if (posting === 'reloaded') await once(reloadMs);
    for (let isFirst = true; !isOver(); isFirst = false) {
      const answers = await Promise.all(isFirst && posting === 'twice' ? [once(), once()] : [once()]);
      for (const answer of answers)
        if (answer?.data) {
          recordState(send, answer.status === 201 ? 'done' : answer.data.state, answer.askedAt);
          onAnswer(answer.data);
        }
      if (answers.some((answer) => answer?.data)) return true;
      const refused = answers.find((answer) => answer && answer.status < 500);
      if (refused) {
        recordRefusal(send, `${refused.status} ${refused.error}`, refused.askedAt);
        return false;
      }
      await time.sleep(retryMs);
    }
    return false;
  }

  /** Asks for the state of a send. True when the customer may send it again. */
  async function check(send: Sent): Promise<boolean> {
    const answer = await browser.ask<Operation>('GET', paths.operation(send.key));
    if (answer?.status === 404) send.end = 'forgotten';
    if (answer?.data) recordOperation(send, answer.data, answer.askedAt);
    return answer?.data?.can_retry === true;
  }

  return {
    post,
    check,

    /** Follows a send that the BFF has taken until its state is definite; presses "Send again" where planned. */
    async follow(send: Sent, { sendsAgain }: { sendsAgain: boolean }): Promise<void> {
      for (let presses = 0; !isOver(); await pause()) {
        const isTheirs = await check(send);
        if (send.end === 'unsettled') continue;
        if (!isTheirs || !sendsAgain || presses === mostPresses) return;
        const pressed = await browser.ask<Operation>('POST', paths.retry(send.key), { body: {} });
        if (pressed?.data) {
          presses += 1;
          recordOperation(send, pressed.data, pressed.askedAt);
        }
      }
    },

    /** Reads the conversation. The states of the customer's messages in it count as reported, too. */
    async readConversation(ticketKey: string, sends: readonly Sent[]): Promise<void> {
      const answer = await browser.ask<Ticket>('GET', paths.ticket(ticketKey));
      for (const { key, state } of answer?.data?.messages ?? []) {
        const send = sends.find((each) => each.key === key);
        if (send) recordState(send, state, answer!.askedAt);
      }
    },
  };
}
