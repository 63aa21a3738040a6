import { randomUUID } from 'node:crypto';
import { at, createClient, show, type Answer, type Client } from './client.ts';
import { need } from './need.ts';

export interface ContractOptions {
  /** Address before `/api/v1`, without a trailing slash. */
  url: string;
  key: string;
  /** Key of another workspace. */
  otherKey?: string | undefined;
  revokedKey?: string | undefined;
  /** Id of a ticket that was merged into another one. */
  mergedTicket?: string | undefined;
}

/** The context of every check: the service, and one marked ticket for all checks. */
export interface Walk {
  options: ContractOptions;
  call: Client;
  /** An address that the workspace has not seen. */
  newEmail: () => string;
  /** Creates a marked ticket; `fields` replace the defaults, undefined leaves one out. */
  create: (fields?: Record<string, unknown>) => Promise<Answer>;
  /** The ticket that all checks may read, and what it was created with. */
  ticket: () => Promise<{ id: string; data: unknown; email: string; name: string }>;
  message: (ticketId: string, body: unknown) => Promise<Answer>;
}

export function createWalk(options: ContractOptions): Walk {
  const call = createClient(`${options.url}/api/v1`, options.key);
  const newEmail = () => `contract-check+${randomUUID().slice(0, 13)}@example.com`;
  const create = (fields: Record<string, unknown> = {}) =>
    call('/tickets', {
      method: 'POST',
      body: {
        subject: '[contract check] please ignore',
        description: '[contract check] Made by a conformance check; it can be deleted.',
        customer_email: newEmail(),
        ...fields,
      },
    });
  const makeTicket = async () => {
    const email = newEmail();
    const name = 'Contract Check';
    const answer = await create({ customer_email: email, customer_name: name });
    const id = at(answer.json, 'data', 'id');
    need(answer.status === 201 && typeof id === 'string', `a ticket could not be created: ${show(answer)}`);
    return { id, data: at(answer.json, 'data'), email, name };
  };
  let shared: ReturnType<Walk['ticket']> | undefined;
  return {
    options,
    call,
    newEmail,
    create,
    ticket: () => (shared ??= makeTicket()),
    message: (ticketId, body) => call(`/tickets/${ticketId}/messages`, { method: 'POST', body }),
  };
}
