import { randomUUID } from 'node:crypto';
import { paths } from '../../../bff/contract/paths.ts';
import type { Message, Operation, OperationState, Ticket } from '../../../bff/contract/tickets.ts';
import type { Browser } from './browser.ts';
import type { Sent } from './sent.ts';
import type { CustomerPlan, Posting, ReplyPlan, TicketPlan } from '../schedules/schedule.ts';
import type { Time } from '../time/time.ts';

const retryMs = 1_500;
const reloadMs = 700;
const mostPresses = 2;

interface Deps {
  browser: Browser;
  time: Time;
  /** Over when the run has no more time: what is not settled by then stays so. */
  isOver: () => boolean;
  /** Between two looks at how a send stands. */
  pause: () => Promise<void>;
  /** Takes note of a send before its first byte leaves. */
  note: (send: Sent) => void;
}

interface Plan {
  posting: Posting;
  sendsAgain: boolean;
}

/** Acts as the plan says, and returns when each of their sends has a definite state. */
export async function actAsCustomer(deps: Deps, plan: CustomerPlan): Promise<void> {
  const { browser, time, isOver, pause, note } = deps;

  const doneSince = new Map<Sent, number>();
  function tell(send: Sent, state: OperationState, askedAt: number): void {
    // Of two answers under way at once, the older may come last.
    if (askedAt < (doneSince.get(send) ?? 0)) return;
    if (state === 'done' && !doneSince.has(send)) doneSince.set(send, performance.now());
    if (send.told.at(-1) !== state) send.told.push(state);
  }

  function hear(send: Sent, operation: Operation, askedAt: number): void {
    tell(send, operation.state, askedAt);
    send.ticketId = operation.ticket_id ?? send.ticketId;
    send.messageId = operation.message_id ?? send.messageId;
    if (operation.can_retry) send.wasUndecided = true;
    if (operation.state === 'done' || operation.state === 'rejected') send.end = operation.state;
    else send.end = operation.can_retry || send.opening?.end === 'undecided' ? 'undecided' : 'unsettled';
  }

  /** As the app's outbox does: with the same key, until the BFF has it or refuses it. */
  async function post(
    send: Sent,
    posting: Posting,
    path: string,
    body: object,
    hearAnswer: (data: Ticket | Message) => void,
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
          tell(send, answer.status === 201 ? 'done' : answer.data.state, answer.askedAt);
          hearAnswer(answer.data);
        }
      if (answers.some((answer) => answer?.data)) return true;
      const refused = answers.find((answer) => answer && answer.status < 500);
      if (refused) {
        tell(send, 'rejected', refused.askedAt);
        send.end = 'rejected';
        send.refusal = `${refused.status} ${refused.error}`;
        return false;
      }
      await time.sleep(retryMs);
    }
    return false;
  }

  async function ask(send: Sent): Promise<boolean> {
    const answer = await browser.ask<Operation>('GET', paths.operation(send.key));
    if (answer?.status === 404) send.end = 'forgotten';
    if (answer?.data) hear(send, answer.data, answer.askedAt);
    return answer?.data?.can_retry === true;
  }

  /** Follows a send that the BFF has taken until its state is definite; presses "Send again" where planned. */
  async function follow(send: Sent, { sendsAgain }: Plan): Promise<void> {
    for (let presses = 0; !isOver(); await pause()) {
      const isTheirs = await ask(send);
      if (send.end === 'unsettled') continue;
      if (!isTheirs || !sendsAgain || presses === mostPresses) return;
      const pressed = await browser.ask<Operation>('POST', paths.retry(send.key), { body: {} });
      if (pressed?.data) {
        presses += 1;
        hear(send, pressed.data, pressed.askedAt);
      }
    }
  }

  const newSend = (more: Pick<Sent, 'text' | 'opening' | 'subject'>): Sent => ({
    ...more,
    key: randomUUID(),
    email: plan.email,
    told: [],
    wasUndecided: false,
    end: 'unsettled',
    refusal: null,
    ticketId: null,
    messageId: null,
  });

  /** Reads the conversation: also what it says of their own messages counts as told. */
  async function look(ticketKey: string, sends: readonly Sent[]): Promise<void> {
    const answer = await browser.ask<Ticket>('GET', paths.ticket(ticketKey));
    for (const { key, state } of answer?.data?.messages ?? []) {
      const send = sends.find((each) => each.key === key);
      if (send) tell(send, state, answer!.askedAt);
    }
  }

  async function reply(opening: Sent, { text, posting }: ReplyPlan): Promise<Sent | null> {
    const send = newSend({ text, opening, subject: '' });
    note(send);
    const path = paths.messages(opening.ticketId ?? opening.key);
    const isTaken = await post(send, posting, path, { body: text }, (data) => {
      send.messageId = data.id;
    });
    return isTaken ? send : null;
  }

  /** One ticket with its replies, one after the other. */
  async function converse(ticket: TicketPlan, opening: Sent): Promise<void> {
    const settled = follow(opening, ticket);
    const replies: Sent[] = [];
    const following = [settled];
    for (const planned of ticket.replies) {
      await time.sleep(planned.pauseMs);
      if (!planned.isEager) await settled;
      if (opening.end === 'rejected' || opening.end === 'undecided' || isOver()) break;
      if (planned.looksFirst) await look(opening.ticketId ?? opening.key, replies);
      const send = await reply(opening, planned);
      if (!send) continue;
      replies.push(send);
      following.push(settled.then(() => follow(send, planned)));
    }
    await Promise.all(following);
    // Once more, when all is over: what was told is not taken back.
    for (const send of [opening, ...replies]) await ask(send);
  }

  async function open({ subject, text, posting, pauseMs }: TicketPlan): Promise<Sent | null> {
    await time.sleep(pauseMs);
    const send = newSend({ text, opening: null, subject });
    note(send);
    const body = { subject, description: text, customer_email: plan.email };
    const isTaken = await post(send, posting, paths.tickets, body, (data) => {
      send.ticketId = data.id;
    });
    return isTaken ? send : null;
  }

  async function openAndConverse(ticket: TicketPlan): Promise<void> {
    const opening = await open(ticket);
    if (opening) await converse(ticket, opening);
  }

  // The first ticket that is taken makes the session; the others come at the same time.
  const tickets = [...plan.tickets];
  let first: Promise<void> | undefined;
  while (!first && tickets.length > 0) {
    const ticket = tickets.shift()!;
    const opening = await open(ticket);
    if (opening) first = converse(ticket, opening);
  }
  await Promise.all([first, ...tickets.map(openAndConverse)]);
}
