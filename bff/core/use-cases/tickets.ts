import type { ServerResponse } from 'node:http';
import type { AcceptedFiles, AcceptedForm } from '../../../shared/contract/accepted.ts';
import type { FormAnswers } from '../../../shared/contract/form.ts';
import { isUuid } from '../../../shared/contract/ids.ts';
import type {
  Message,
  NewMessage,
  NewTicket,
  Operation,
  Ticket,
  TicketSummary,
} from '../../../shared/contract/tickets.ts';
import type { Recorded } from '../delivery/record.ts';
import type { Delivery } from '../delivery/delivery.ts';
import { AppError } from '../errors.ts';
import type { StreamLimits } from '../limits/connections.ts';
import type { OnScreen } from '../live/viewers.ts';
import type { Live } from '../live/live.ts';
import type { NewSession, Session } from '../identity/sessions.ts';
import type { Subjects } from '../identity/subjects.ts';
import type { Grants } from '../tickets/grants.ts';
import { leavesRoom, leavesRoomInReply } from '../tickets/footer.ts';
import { type Operations, toOperation } from '../tickets/operations.ts';
import { pageOf } from '../tickets/pages.ts';
import { agentMessagesUpTo } from '../tickets/present.ts';
import type { ThreadRead, Threads } from '../tickets/threads.ts';
import type { Views } from '../tickets/views.ts';
import { createAccess, type TicketAccess } from './access.ts';
import type { Admission, Counted } from './admission.ts';
import { sessionOf, type Visitor } from './visitor.ts';

const freshEnoughMs = 1_000;
/** Long, because earlier messages rarely change. So paging back through a long conversation causes few reads. */
const earlierFreshMs = 60_000;

/** A part of the BFF that takes part in opening and showing tickets. */
export interface TicketHook {
  /** Whether it needs the customer's language and wish for mails with each new ticket. */
  wantsNotify?: boolean;
  /** A customer looks at their tickets. */
  onVisit?(subjectId: string): void;
  /**
   * Accepts answers to the operator's form.
   * @param written the parts of the ticket that the form depends on: its description in canonical form, and the tag of
   *   the language that the customer saw
   * @throws {AppError} `invalid_request`, with the errors by field
   */
  acceptForm?(
    answers: FormAnswers | undefined,
    written: { description: string; language: string | undefined },
  ): AcceptedForm | null;
  /**
   * Accepts files, each once, for a send of this subject.
   * @throws {AppError} `invalid_request` at the field `files`, when one of them cannot be sent
   */
  acceptFiles?(ids: string[], subjectId: string): Promise<AcceptedFiles>;
}

interface Deps {
  grants: Grants;
  operations: Operations;
  views: Views;
  threads: Threads;
  subjects: Subjects;
  delivery: Delivery;
  live: Live;
  admission: Admission;
  streamLimits: StreamLimits;
  parts: readonly TicketHook[];
}

/**
 * Everything that a visitor may do with tickets. It is the only way from a request to a ticket, also for the stream.
 * Each function begins with the visitor's session, or with the access that `access.ts` found for it.
 */
export function createTicketUseCases(deps: Deps) {
  const { grants, operations, views, threads, subjects, delivery, live, admission, streamLimits, parts } =
    deps;
  const { findReadable, findOwn } = createAccess({ grants, operations });

  /**
   * Counts a send against the limits once, when it is recorded. Repeats of a known key are free, and pass even when
   * the limits are used up.
   */
  async function counted<Result extends Recorded>(
    key: string,
    take: () => Promise<Counted>,
    takeForRepeat: () => Promise<unknown>,
    accept: () => Promise<Result>,
  ): Promise<Result> {
    const { giveBack, giveBackForRepeat = giveBack } = await take().catch(
      async (refusal: unknown): Promise<Counted> => {
        if (!(await operations.isKnown(key))) throw refusal;
        await takeForRepeat();
        return { giveBack: async () => {} };
      },
    );
    const accepted = await accept().catch(async (error: unknown) => {
      const isRefused = error instanceof AppError;
      if (isRefused || !(await operations.isKnown(key).catch(() => false))) await giveBack();
      throw error;
    });
    if (!accepted.isNew) await giveBackForRepeat();
    return accepted;
  }

  /** Undefined without files. @throws {AppError} `invalid_request` where no part takes any, and as `acceptFiles` */
  async function acceptFiles(given: readonly string[], session: Session | null, key: string) {
    if (given.length === 0) return undefined;
    // Every upload has a session.
    if (!session) throw new AppError('unauthenticated');
    const ids = [...new Set(given)];
    const refused = () => Promise.reject(new AppError('invalid_request', { fields: { files: 'invalid' } }));
    const accept = parts.find((part) => part.acceptFiles)?.acceptFiles ?? refused;
    return accept(ids, session.subjectId).catch(async (refusal: unknown) => {
      // The send of a repeated request has them already. It is compared by its ids.
      if (!(await operations.find(session.subjectId, key))) throw refusal;
      return { ids, lines: [] };
    });
  }

  async function operationOf(visitor: Visitor, key: string) {
    const { subjectId } = sessionOf(visitor);
    const row = isUuid(key) ? await operations.find(subjectId, key) : undefined;
    if (!row) throw new AppError('not_found');
    return row;
  }

  return {
    list: (visitor: Visitor): Promise<TicketSummary[]> => views.list(sessionOf(visitor).subjectId),

    /** Works without a session: the first ticket creates one (`issued`). */
    async open(
      visitor: Visitor,
      key: string,
      payload: NewTicket,
    ): Promise<{ ticket: Ticket; isDone: boolean; issued: NewSession | null }> {
      const { website, notify, language, form: answers, files: ids = [], ...sent } = payload;
      const written = { description: sent.description, language };
      const [accepted] = parts.flatMap((part) => part.acceptForm?.(answers, written) ?? []);
      const ticket = {
        ...sent,
        ...(accepted && { form: accepted }),
        ...(parts.some(({ wantsNotify }) => wantsNotify) && { notify, language }),
      };
      const { session, subject } = visitor;
      // A customer whose session has ended can sign in again; a new anonymous session would hide their tickets.
      if (visitor.isStale) throw new AppError('unauthenticated');
      const current = session && subject && { session, subject };
      const accept = async () => {
        const files = await acceptFiles(ids, session, key);
        if (files && !leavesRoom(sent.description, [...(accepted?.details ?? []), ...files.lines]))
          throw new AppError('invalid_request', { fields: { description: 'too_long' } });
        return delivery.acceptTicket(current, visitor.isBearer, key, { ...ticket, ...(files && { files }) });
      };
      const mailbox = subjects.mailboxHash(ticket.customer_email);
      const take = () => admission.ticket(visitor, mailbox, Boolean(website));
      const takeForRepeat = () => admission.repeatedTicket(visitor);
      const { row, isOwn, issued } = await counted(key, take, takeForRepeat, accept);
      const opening = await delivery.follow(row);
      return {
        ticket: await (isOwn ? views.openedTicket : views.takenTicket)(opening),
        isDone: opening.state === 'done',
        issued,
      };
    },

    findAccess: findOwn,

    /**
     * The messages just before the message `before`. An empty `before` requests the newest messages, and null requests
     * all.
     * @param ref as for `findReadable`
     */
    async read(visitor: Visitor, ref: string, before: string | null): Promise<Ticket> {
      const { subjectId } = sessionOf(visitor);
      const maxAgeMs = before ? earlierFreshMs : freshEnoughMs;
      // The cache has ticket ids only. A ref that is the key of a send is looked up by `findReadable`, and so is every
      // ref that is refused.
      const cached = threads.fresh(ref, maxAgeMs);
      // SECURITY: a view finds a ticket for its holder only, so this statement also checks the access.
      const view = cached && (await views.ticket({ subjectId, ticketId: ref }, cached));
      if (view) return pageOf(view, { before });
      const access = await findReadable(visitor, ref);
      if ('opening' in access) return pageOf(await views.openedTicket(access.opening), { before });
      const { grant } = access;
      const ticket = await views.ticket(grant, await threads.read(grant.ticketId, maxAgeMs));
      if (!ticket) throw new AppError('not_found');
      return pageOf(ticket, { before });
    },

    async reply(
      visitor: Visitor,
      access: TicketAccess,
      key: string,
      { body, files: ids = [] }: NewMessage,
    ): Promise<{ message: Message; isDone: boolean }> {
      const session = sessionOf(visitor);
      const to = 'grant' in access ? { ticketId: access.grant.ticketId } : { openedBy: access.opening.id };
      const { row } = await counted(
        key,
        () => admission.message(visitor),
        async () => {},
        async () => {
          const files = await acceptFiles(ids, session, key);
          if (!body && !files) throw new AppError('invalid_request', { fields: { body: 'required' } });
          if (!leavesRoomInReply(body, files?.lines))
            throw new AppError('invalid_request', { fields: { body: 'too_long' } });
          return delivery.acceptReply(session, to, key, { body, ...(files && { files }) });
        },
      );
      const sent = await delivery.follow(row);
      return { message: views.sentMessage(sent), isDone: sent.state === 'done' };
    },

    /**
     * Marks all messages up to this one as read.
     * @throws {AppError} `not_found` before the service has the ticket; `upstream_unavailable` when the ticket cannot be
     *   read, and the message is not in what is known of it
     */
    async markRead(access: TicketAccess, messageId: string): Promise<TicketSummary | null> {
      if ('opening' in access) throw new AppError('not_found');
      const { grant } = access;
      const hasMessage = (read: ThreadRead | null) =>
        read?.thread.messages.some(({ id }) => id === messageId) === true;
      const cached = await threads.read(grant.ticketId, Infinity);
      // Another instance may have shown the message, or this one before a restart.
      const read = hasMessage(cached) ? cached : ((await threads.read(grant.ticketId, 0)) ?? cached);
      if (!read || (!hasMessage(read) && !read.isFresh)) throw new AppError('upstream_unavailable');
      await grants.markRead(grant, agentMessagesUpTo(read.thread, messageId));
      await live.refresh(grant.subjectId, grant.ticketId);
      return views.summary(grant);
    },

    async operation(visitor: Visitor, key: string): Promise<Operation> {
      return toOperation(await operationOf(visitor, key));
    },

    /** The customer's "Send again". */
    async retry(visitor: Visitor, key: string): Promise<Operation> {
      return toOperation(await delivery.retry(await operationOf(visitor, key)));
    },

    /**
     * Makes the raw response a stream of the visitor's tickets. `headers`: headers of the response, in addition to
     * its own.
     */
    async stream(
      visitor: Visitor,
      onScreen: OnScreen,
      response: ServerResponse,
      headers: Record<string, string>,
    ): Promise<void> {
      const session = sessionOf(visitor);
      response.on('close', streamLimits.take(session.id, visitor.address));
      await live.open(response, session, onScreen, headers);
      for (const part of parts) part.onVisit?.(session.subjectId);
    },
  };
}

export type TicketUseCases = ReturnType<typeof createTicketUseCases>;
