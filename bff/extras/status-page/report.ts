import { Agent, request } from 'undici';
import { z } from 'zod';
import { isWebAddress } from '../../../shared/contract/form.ts';
import { LoggableError } from '../../core/errors.ts';
import { oneLine, shorten } from '../../core/text/canonical.ts';

/*
 * What a status page reports: reads its JSON, in the shape of Statuspage (which incident.io and others copy) or of
 * Instatus. It knows nothing of who is told. What is missing or of another type counts as not reported.
 */

/** Those of many services have some hundred kilobytes, for all their components. */
const maxResponseSize = 2 * 1024 * 1024;
const maxLength = 200;

const text = z.string().catch('');
const items = z.array(z.object({ name: text, status: text }).catch({ name: '', status: '' })).catch([]);
const statusPage = z.object({
  page: z.object({ url: text, status: text }).catch({ url: '', status: '' }),
  status: z.object({ indicator: text, description: text }).catch({ indicator: '', description: '' }),
  incidents: items,
  scheduled_maintenances: items,
  // Those of Instatus.
  activeIncidents: items,
  activeMaintenances: items,
});

/** What a status page reports, in its own words, and its address. */
export interface Report {
  text: string;
  url: string;
}

const isOver = ({ status }: { status: string }) => /^(resolved|postmortem|completed)$/i.test(status);
const isUnderWay = ({ status }: { status: string }) => /^(in_?progress|verifying)$/i.test(status);
const isFine = (state: string) => /^(none|up)$/i.test(state);

/**
 * Reads a status page's answer.
 * @param url where it came from
 * @returns null when it reports nothing
 * @throws {LoggableError} when it is not the JSON of a status page
 */
export function reportIn(answer: string, url: string): Report | null {
  const found = statusPage.safeParse(jsonIn(answer)).data;
  const state = found?.status.indicator || found?.page.status;
  if (!found || !state) throw new LoggableError('the answer has neither status.indicator nor page.status');
  const { page, status, incidents, activeIncidents } = found;
  const maintenances = [...found.scheduled_maintenances, ...found.activeMaintenances];
  const named = [
    ...[...incidents, ...activeIncidents].filter((incident) => !isOver(incident)),
    // Also where nothing fails by it: the indicator then says “none”.
    ...maintenances.filter(isUnderWay),
    ...(isFine(state) ? [] : [{ name: status.description }]),
  ];
  const said = named.map(({ name }) => shorten(oneLine(name), maxLength)).find(Boolean);
  return said ? { text: said, url: isWebAddress(page.url) ? page.url : new URL(url).origin } : null;
}

function jsonIn(answer: string): unknown {
  try {
    return JSON.parse(answer);
  } catch {
    throw new LoggableError('the answer is no JSON');
  }
}

/** Creates a function that asks the status page at `url`. It throws when it cannot be read. */
export function createReading(url: string, timeoutMs: number) {
  const agent = new Agent({ connect: { timeout: timeoutMs }, maxResponseSize, pipelining: 0 });
  return {
    async read(): Promise<Report | null> {
      const { statusCode, body } = await request(url, {
        dispatcher: agent,
        headers: { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'deskside' },
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (statusCode !== 200) {
        body.on('error', () => {}).destroy();
        throw new LoggableError(`the status page answered ${statusCode}`);
      }
      return reportIn(await body.text(), url);
    },
    /** Ends what is being read. */
    close: () => agent.destroy(),
  };
}
