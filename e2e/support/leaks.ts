import { leaksIn, samplesOf } from '../../scripts/leaks.ts';
import type { Workspace } from '../../scripts/processes.ts';

interface Sources {
  /** The BFF's port for operators. */
  adminUrl: string;
  serviceUrl: string;
  workspace: Workspace;
}

interface Ticket {
  subject: string;
  description: string;
  customer: { name: string | null; email: string };
  messages: { body: string }[];
}

/** What was written in the 50 newest tickets; nothing while the service is down. */
async function textsAt({ serviceUrl, workspace }: Sources): Promise<string[]> {
  const headers = { Authorization: `Bearer ${workspace.api_key}` };
  const read = async (path: string) =>
    (await (await fetch(`${serviceUrl}/api/v1/tickets${path}`, { headers })).json()).data;
  try {
    const newest: { id: string }[] = await read('?limit=50');
    const tickets: Ticket[] = await Promise.all(newest.map(({ id }) => read(`/${id}`)));
    return tickets.flatMap(({ subject, description, customer, messages }) => [
      subject,
      description.replace(/\n\nDeskside: .*$/, ''),
      customer.name ?? '',
      customer.email,
      ...messages.map(({ body }) => body),
    ]);
  } catch {
    return [];
  }
}

const metricsAt = ({ adminUrl }: Sources): Promise<string> =>
  fetch(`${adminUrl}/metrics`).then(
    (answer) => answer.text(),
    () => '',
  );

/** Reads what the scan needs of servers that still run. Returns the scan of their log lines, which throws. */
export async function prepareLeakScan(sources: Sources): Promise<(lines: readonly string[]) => void> {
  const [texts, metrics] = await Promise.all([textsAt(sources), metricsAt(sources)]);
  return (lines) => {
    const leaks = leaksIn([...lines, ...samplesOf(metrics)], [sources.workspace.api_key, ...texts]);
    if (leaks.length > 0) throw new Error(`strangers may read this:\n${leaks.join('\n')}`);
  };
}
