/** The BFF's public routes. Ids and keys are UUIDs. */
export const paths = {
  session: '/api/session',
  tickets: '/api/tickets',
  ticket: (id: string) => `/api/tickets/${id}`,
  messages: (id: string) => `/api/tickets/${id}/messages`,
  read: (id: string) => `/api/tickets/${id}/read`,
  operations: '/api/operations',
  operation: (key: string) => `/api/operations/${key}`,
  retry: (key: string) => `/api/operations/${key}/retry`,
  events: '/api/events',
} as const;

/** Every API call carries this header with the value `1`: a cross-site form or image cannot. */
export const gateHeader = 'X-Deskside';
export const idempotencyHeader = 'Idempotency-Key';
