import type { Send } from './sends.ts';

/** Whether a send counts in the question to the customer. The BFF counts its own, and replies follow their ticket. */
export const isOffered = (send: Send): boolean =>
  send.kind === 'ticket' && !send.is_held && !send.is_declined;
