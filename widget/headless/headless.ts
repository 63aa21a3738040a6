import type { ReadonlySignal } from '@preact/signals';
import { action, computed, effect } from '@preact/signals';
import type { ErrorCode, FieldFault } from '../../bff/contract/errors.ts';
import { maxLength } from '../../bff/contract/limits.ts';
import type { Clock } from '../app/browser/clock.ts';
import { createStore } from '../app/browser/storage.ts';
import type { Core } from '../app/core.ts';
import { createDrafts } from '../app/new-ticket/drafts.ts';
import { createNewTicket, fieldNames, type FieldName } from '../app/new-ticket/new-ticket.ts';
import type { Support } from '../app/support.ts';
import { isNamed, refOf } from '../app/ticket-list/names.ts';
import { type ClientCalls, type ClientState, type ClientTicket, isCall } from './messages.ts';

/** What was asked for cannot be done; nothing was sent. */
export class Refused extends Error {
  readonly code: ErrorCode;
  readonly fields: Record<string, FieldFault>;
  constructor(code: ErrorCode, fields: Record<string, FieldFault> = {}) {
    super(code);
    this.code = code;
    this.fields = fields;
  }
}

/** The names that a site knows, by those of the wire. */
const siteNames = {
  description: 'message',
  customer_email: 'email',
  customer_name: 'name',
  subject: 'subject',
} as const satisfies Record<FieldName, keyof ClientTicket>;

const forSite = (fields: Record<string, FieldFault | undefined>) =>
  Object.fromEntries(fieldNames.flatMap((wire) => (fields[wire] ? [[siteNames[wire], fields[wire]]] : [])));

interface HeadlessOptions {
  core: Core;
  support: Support;
  clock: Clock;
  pageUrl: () => string | undefined;
}

/** The models of the app without its views: all of it as one state, and what a site's own surface may ask for. */
export function createHeadless({ core, support, clock, pageUrl }: HeadlessOptions) {
  const { view, newTicket, outbox } = core;
  const { tickets, session, list, messages, unread, viewed } = support;

  const conversation = computed<ClientState['conversation']>(() => {
    const { ref } = view.current.value;
    if (ref === undefined || session.isWaiting.value) return null;
    const ticket = viewed.value;
    const thread = tickets.thread(ticket ? refOf(ticket) : ref);
    const failure = tickets.threadFailure.value;
    return {
      ref,
      ticket: ticket && summaryOf(ticket),
      messages: messages.value,
      hasEarlier: thread?.has_earlier ?? false,
      failure: failure && (failure.code ?? 'upstream_unavailable'),
    };
  });

  const refused = computed<ClientState['refused']>(() => {
    const code = newTicket.failure.value;
    if (code === null) return null;
    const { description, customer_email, customer_name, subject, priority } = newTicket.fields.value;
    const ticket = { message: description, email: customer_email, name: customer_name, subject, priority };
    return { code, fields: forSite(newTicket.errors.value), ticket };
  });

  const state: ReadonlySignal<ClientState> = computed(() => {
    const customer = session.current.value?.customer;
    const isHidden = session.isWaiting.value;
    return {
      customer:
        customer && !isHidden
          ? { email: customer.email, name: customer.name, verified: customer.verified }
          : null,
      tickets: tickets.isLoaded.value && !isHidden ? list.value : null,
      unread: unread.value,
      conversation: conversation.value,
      refused: isHidden ? null : refused.value,
      isCurrent: tickets.isLoaded.value && support.staleSince.value === null,
    };
  });

  /** The form of the site: checked as ours is, without touching the draft that the widget keeps. */
  function check(ticket: ClientTicket) {
    const inMemory = createStore(() => {
      throw new Error('kept in memory');
    });
    const form = createNewTicket(createDrafts(inMemory, clock, null));
    for (const wire of fieldNames) form.set(wire, ticket[siteNames[wire]] ?? '');
    form.set('priority', ticket.priority ?? '');
    const payload = form.check(pageUrl());
    if (!payload) throw new Refused('invalid_request', forSite(form.errors.peek()));
    return payload;
  }

  const calls: ClientCalls = {
    openTicket(ticket) {
      const { key } = outbox.addTicket(check(ticket));
      if (newTicket.failure.peek() !== null) newTicket.clear();
      return key;
    },
    reply(ref, text) {
      const body = text.trim();
      if (!body) throw new Refused('invalid_request', { text: 'required' });
      if (body.length > maxLength.body) throw new Refused('invalid_request', { text: 'too_long' });
      const ticket = list.peek().find(isNamed(ref)) ?? tickets.thread(ref);
      if (!ticket) throw new Refused('not_found');
      if (ticket.closed) throw new Refused('conversation_merged');
      outbox.addMessage({ id: ticket.id, key: ticket.key }, { body });
    },
    follow: action((ref) => view.go(ref === null ? { name: 'start' } : { name: 'thread', ref })),
    loadEarlier: () => void support.loadEarlier(),
    sendAgain: (key) => void support.sending.sendAgain(key),
    discard: () => newTicket.clear(),
  };
  /**
   * Resolves once it is known who the customer is. SECURITY: until a token is exchanged, a text would be stored as the last
   * customer's.
   */
  const whenKnown = () =>
    new Promise<void>((resolve) => {
      const stop = effect(() => {
        if (session.isPending.value) return;
        resolve();
        queueMicrotask(() => stop());
      });
    });

  return {
    state,
    /** Does what the page asks for, in the order in which it asks. @throws {Refused} */
    async answer(name: string, args: unknown[]): Promise<unknown> {
      await whenKnown();
      if (!isCall(name, args)) throw new Refused('invalid_request');
      return (calls[name as keyof ClientCalls] as (...given: unknown[]) => unknown)(...args);
    },
  };
}

/** The summary of a conversation that is in no list. */
const summaryOf = <T extends object>({ messages: _, ...summary }: T & { messages?: unknown }) =>
  summary as Omit<T, 'messages'>;
