import { leaksIn, samplesOf } from '../../scripts/leaks.ts';
import type { Workspace } from '../../scripts/processes.ts';
import { accessTo, readTickets } from './service-api.ts';

interface Sources {
  /** The BFF's port for operators. */
  adminUrl: string;
  serviceUrl: string;
  workspace: Workspace;
}

/** What was written in the 50 newest tickets; nothing while the service is down. */
async function textsAt(sources: Sources): Promise<string[]> {
  const tickets = await readTickets(accessTo(sources)).catch(() => []);
  return tickets.flatMap(({ subject, description, customer, messages }) => [
    subject,
    description,
    customer.name ?? '',
    customer.email,
    ...messages.map(({ body }) => body),
  ]);
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
