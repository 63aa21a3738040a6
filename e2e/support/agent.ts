import { accessTo, listTickets } from './service-api.ts';
import type { Stack } from './stack.ts';

export type Agent = Awaited<ReturnType<typeof signInAgent>>;

/**
 * An agent who works the desk without a browser: by its forms, as a browser sends them.
 * @throws when the desk refuses a form or knows no such ticket
 */
export async function signInAgent({ serviceUrl, workspace }: Pick<Stack, 'serviceUrl' | 'workspace'>) {
  async function post(
    path: string,
    fields: Record<string, string>,
    { cookie = '', status = 303 } = {},
  ): Promise<Response> {
    const response = await fetch(serviceUrl + path, {
      method: 'POST',
      redirect: 'manual',
      headers: { Origin: serviceUrl, Cookie: cookie },
      body: new URLSearchParams(fields),
    });
    if (response.status !== status) throw new Error(`the desk answered ${response.status} to ${path}`);
    return response;
  }

  const signedIn = await post('/desk/sign-in', { ...workspace.agent });
  const cookie = signedIn.headers.getSetCookie()[0]!.split(';')[0]!;

  return {
    async answer(subject: string, text: string): Promise<void> {
      const tickets = await listTickets(accessTo({ serviceUrl, workspace }));
      const ticket = tickets.find((each) => each.subject === subject);
      if (!ticket) throw new Error(`no ticket “${subject}”`);
      await post(`/desk/tickets/${ticket.id}/answers`, { id: crypto.randomUUID(), body: text }, { cookie });
    },
    /** Answers the new API key. */
    async createKey(label: string): Promise<string> {
      const page = await (await post('/desk/keys', { label }, { cookie, status: 200 })).text();
      return /dsk_[\w-]{16,}/.exec(page)![0];
    },
    /** The service refuses this API key from then on. */
    async revokeKey(key: string): Promise<void> {
      const page = await (await fetch(`${serviceUrl}/desk/keys`, { headers: { Cookie: cookie } })).text();
      const [, action] = new RegExp(`…${key.slice(-4)}</code>[^]*?"(/desk/keys/[^"]+/revoke)"`).exec(page)!;
      await post(action!, {}, { cookie });
    },
  };
}
