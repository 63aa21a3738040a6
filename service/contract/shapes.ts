import { at } from './client.ts';

const isText = (value: unknown): value is string => typeof value === 'string';
const isUuid = (value: unknown) => isText(value) && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value);
const isTime = (value: unknown) =>
  isText(value) &&
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)$/.test(value) &&
  !Number.isNaN(Date.parse(value));

const ticketFields: Record<string, (value: unknown) => boolean> = {
  id: isUuid,
  ticket_number: Number.isInteger,
  subject: isText,
  description: isText,
  status: isText,
  priority: (value) => ['low', 'medium', 'high', 'urgent'].includes(String(value)),
  source: isText,
  created_at: isTime,
  updated_at: isTime,
  customer_id: isUuid,
};

const messageFields: Record<string, (value: unknown) => boolean> = {
  id: isText,
  author_type: isText,
  body: isText,
  created_at: isTime,
};

const faultsOf = (fields: typeof ticketFields, value: unknown) =>
  Object.entries(fields)
    .filter(([name, isRight]) => !isRight(at(value, name)))
    .map(([name]) => `${name} is ${JSON.stringify(at(value, name)) ?? 'missing'}`);

/** The errors in a value as a Ticket (section 2), one entry per field. */
export const ticketFaults = (value: unknown): string[] => faultsOf(ticketFields, value);

/** The errors in a value as a Message (section 2), one entry per field. */
export const messageFaults = (value: unknown): string[] => faultsOf(messageFields, value);
