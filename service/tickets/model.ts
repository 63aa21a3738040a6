export const statuses = ['new', 'open', 'pending', 'solved', 'closed'] as const;
export type Status = (typeof statuses)[number];

export const priorities = ['low', 'medium', 'high', 'urgent'] as const;
export type Priority = (typeof priorities)[number];

/** Largest sizes in Unicode code points (v1 section 8); everything is at least 1. */
export const maxLength = {
  subject: 300,
  description: 20_000,
  customer_email: 255,
  customer_name: 120,
  body: 20_000,
  company: 120,
  label: 80,
  saved_name: 80,
  saved_text: 10_000,
} as const;

/** Length in Unicode code points: an emoji of one code point counts once. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

export const isUuid = (id: string): boolean => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id);

/** Base ticket fields, exactly as v1 shows them. Times are ISO 8601 UTC with milliseconds. */
export interface Ticket {
  id: string;
  ticket_number: number;
  subject: string;
  description: string;
  status: Status;
  priority: Priority;
  source: string;
  created_at: string;
  updated_at: string;
  customer_id: string;
}

export interface Customer {
  name: string | null;
  email: string;
  company: string | null;
}

/** One entry of the public conversation. */
export interface Message {
  id: string;
  author_type: 'customer' | 'agent';
  body: string;
  created_at: string;
}

export interface TicketWithConversation extends Ticket {
  customer: Customer;
  messages: Message[];
}

/** Columns of `tickets t` that make a `Ticket`. */
export const ticketColumns = `t.id, t.ticket_number, t.subject, t.description, t.status, t.priority, t.source,
  t.created_at, t.updated_at, t.customer_id`;
