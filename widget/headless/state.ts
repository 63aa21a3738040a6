import type { ReadonlySignal } from '@preact/signals';
import { computed } from '@preact/signals';
import type { Models } from '../app/models.ts';
import { refOf } from '../app/ticket-list/names.ts';
import type { ClientState } from '../npm/client.d.ts';
import { forSite } from './site-names.ts';

/** Everything that a site's own interface shows, as one value. */
export function createState(models: Models): ReadonlySignal<ClientState> {
  const { view, newTicket, tickets, session, list, messages, unread, viewed, staleSince } = models;

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

  return computed(() => {
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
      isCurrent: tickets.isLoaded.value && staleSince.value === null,
    };
  });
}

/** The summary of a conversation that is in no list. */
const summaryOf = <T extends object>({ messages: _, ...summary }: T & { messages?: unknown }) =>
  summary as Omit<T, 'messages'>;
