import { action } from '@preact/signals';
import { readAttributes } from '../../shared/contract/attributes.ts';
import { maxLength } from '../../shared/contract/limits.ts';
import { createStore } from '../app/browser/storage.ts';
import type { Models } from '../app/models.ts';
import { createDrafts } from '../app/new-ticket/drafts.ts';
import { createNewTicket, fieldNames } from '../app/new-ticket/new-ticket.ts';
import { isNamed } from '../app/ticket-list/names.ts';
import type { NewTicket } from '../npm/client.d.ts';
import type { ClientCalls } from './messages.ts';
import { Refused } from './refused.ts';
import { forSite, siteNames } from './site-names.ts';

/** The payload of a site's ticket, checked as the widget's form is. The widget's draft does not change. */
function check(ticket: NewTicket, { clock, pageUrl }: Models) {
  const inMemory = createStore(() => {
    throw new Error('kept in memory');
  });
  const form = createNewTicket(createDrafts(inMemory, clock, null));
  for (const wire of fieldNames) form.set(wire, ticket[siteNames[wire]] ?? '');
  form.set('priority', ticket.priority ?? '');
  form.describe({ attributes: readAttributes(ticket.context) });
  const payload = form.check(pageUrl());
  if (!payload) throw new Refused('invalid_request', forSite(form.errors.peek()));
  return payload;
}

/** What a site's own interface may request. */
export function createCalls(models: Models): ClientCalls {
  const { view, newTicket, outbox, tickets, list } = models;

  return {
    openTicket(ticket) {
      const { key } = outbox.addTicket(check(ticket, models));
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
    loadEarlier: () => void models.loadEarlier(),
    sendAgain: (key) => void models.sending.sendAgain(key),
    discard: () => newTicket.clear(),
  };
}
