import { randomUUID } from 'node:crypto';
import { paths } from '../../../shared/contract/paths.ts';
import type { CustomerPlan, ReplyPlan, TicketPlan } from '../schedules/plan.ts';
import { createOutbox, type OutboxDeps } from './outbox.ts';
import type { Sent } from './sent.ts';
import { createUploads } from './uploads.ts';

interface Deps extends OutboxDeps {
  /** Called with a send before its first byte is sent. */
  note: (send: Sent) => void;
}

/** Acts as planned, and returns when each send of the customer has a definite state. */
export async function actAsCustomer(deps: Deps, plan: CustomerPlan): Promise<void> {
  const { time, isOver, note } = deps;
  const outbox = createOutbox(deps);
  const upload = createUploads(deps);

  const newSend = (more: Pick<Sent, 'text' | 'files' | 'opening' | 'subject'>): Sent => ({
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

  /** Uploads the files of a send. Null when the time is over before all are there. */
  async function withFiles(send: Sent): Promise<{ files?: string[] } | null> {
    if (send.files.length === 0) return {};
    try {
      return { files: await upload(send.files) };
    } catch (error) {
      send.refusal = (error as Error).message;
      return null;
    }
  }

  async function reply(opening: Sent, { text, files, posting }: ReplyPlan): Promise<Sent | null> {
    const send = newSend({ text, files, opening, subject: '' });
    const more = await withFiles(send);
    note(send);
    if (!more) return null;
    const path = paths.messages(opening.ticketId ?? opening.key);
    const isTaken = await outbox.post(send, posting, path, { body: text, ...more }, (data) => {
      send.messageId = data.id;
    });
    return isTaken ? send : null;
  }

  /** One ticket with its replies, one after the other. */
  async function converse(ticket: TicketPlan, opening: Sent): Promise<void> {
    const settled = outbox.follow(opening, ticket);
    const replies: Sent[] = [];
    const following = [settled];
    for (const planned of ticket.replies) {
      await time.sleep(planned.pauseMs);
      if (!planned.isEager) await settled;
      if (opening.end === 'rejected' || opening.end === 'undecided' || isOver()) break;
      if (planned.looksFirst) await outbox.readConversation(opening.ticketId ?? opening.key, replies);
      const send = await reply(opening, planned);
      if (!send) continue;
      replies.push(send);
      following.push(settled.then(() => outbox.follow(send, planned)));
    }
    await Promise.all(following);
    // Once more at the end: a state that was reported must not change back.
    for (const send of [opening, ...replies]) await outbox.check(send);
  }

  async function open({ subject, text, files, posting, pauseMs }: TicketPlan): Promise<Sent | null> {
    await time.sleep(pauseMs);
    const send = newSend({ text, files, opening: null, subject });
    const more = await withFiles(send);
    note(send);
    if (!more) return null;
    const body = { subject, description: text, customer_email: plan.email, ...more };
    const isTaken = await outbox.post(send, posting, paths.tickets, body, (data) => {
      send.ticketId = data.id;
    });
    return isTaken ? send : null;
  }

  async function openAndConverse(ticket: TicketPlan): Promise<void> {
    const opening = await open(ticket);
    if (opening) await converse(ticket, opening);
  }

  // The first accepted ticket creates the session. The others are sent at the same time afterwards.
  const tickets = [...plan.tickets];
  let first: Promise<void> | undefined;
  while (!first && tickets.length > 0) {
    const ticket = tickets.shift()!;
    const opening = await open(ticket);
    if (opening) first = converse(ticket, opening);
  }
  await Promise.all([first, ...tickets.map(openAndConverse), upload(plan.unsent).catch(() => undefined)]);
}
