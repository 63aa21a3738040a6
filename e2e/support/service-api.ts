import type { Workspace } from '../../scripts/processes.ts';

/** What reads and opens tickets as a client of the ticket service does. */
export interface ServiceAccess {
  serviceUrl: string;
  apiKey: string;
}

interface ListedTicket {
  id: string;
  ticket_number: number;
  subject: string;
}

export interface ServiceTicket extends ListedTicket {
  /** Without the lines for agents. */
  description: string;
  customer: { name: string | null; email: string };
  /** In the service's order. */
  messages: { body: string }[];
}

/** The access of a stack. */
export const accessTo = (of: { serviceUrl: string; workspace: Workspace }): ServiceAccess => ({
  serviceUrl: of.serviceUrl,
  apiKey: of.workspace.api_key,
});

/** The `data` of an answer of the service; `body`: of a POST. */
export async function askService<T>(
  { serviceUrl, apiKey }: ServiceAccess,
  path: string,
  body?: object,
): Promise<T> {
  const answer = await fetch(`${serviceUrl}/api/v1/tickets${path}`, {
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  if (answer.status !== (body ? 201 : 200))
    throw new Error(`the service answered ${answer.status} to ${path}`);
  return ((await answer.json()) as { data: T }).data;
}

export const listTickets = (service: ServiceAccess) => askService<ListedTicket[]>(service, '?limit=50');

/** The tickets among the newest 50 for which `wanted` is true, with their messages. Merged tickets are on no list. */
export async function readTickets(
  service: ServiceAccess,
  wanted: (ticket: ListedTicket) => boolean = () => true,
): Promise<ServiceTicket[]> {
  const ids = (await listTickets(service)).filter(wanted).map(({ id }) => id);
  const tickets = await Promise.all(ids.map((id) => askService<ServiceTicket>(service, `/${id}`)));
  return tickets.map((ticket) => ({
    ...ticket,
    description: ticket.description.replace(/(\n\nPage: .*)?\n\nDeskside: .*$/, ''),
  }));
}
