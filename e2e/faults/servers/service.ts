import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { freePort, initWorkspace, startNode, untilUp } from '../../../scripts/processes.ts';
import type { FaultBuild } from './build.ts';
import type { Time } from '../time/time.ts';

/** A ticket in the service's database. */
export interface StoredTicket {
  id: string;
  email: string;
  subject: string;
  description: string;
  /** Of customers, in the order they were added. */
  messages: { id: string; body: string }[];
}

const ticketsOf = `SELECT t.id, c.email, t.subject, t.description FROM tickets t
  JOIN customers c ON c.id = t.customer_id WHERE c.email = ? ORDER BY t.ticket_number`;
const messagesOf = `SELECT id, body FROM messages
  WHERE ticket_id = ? AND author_type = 'customer' ORDER BY seq`;

/** A real service with one workspace, in virtual time. */
export async function startService(built: FaultBuild, time: Time) {
  const dir = await mkdtemp(join(tmpdir(), 'deskside-faults-service-'));
  const agent = 'agent@example.com';
  const workspace = await initWorkspace(built.service, dir, '--workspace', 'Faults', '--agent', agent);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const start = async () => {
    const settings = { PORT: String(port), DATA_DIR: dir, PUBLIC_URL: url, LOG_LEVEL: 'warn' };
    const running = startNode(built.service, { ...settings, ...time.environment(built.clock) });
    await untilUp(`${url}/livez`, running);
    return running;
  };
  let running = await start();
  const db = new Database(join(dir, 'service.sqlite'), { readonly: true });
  const selectTickets = db.prepare<[string], Omit<StoredTicket, 'messages'>>(ticketsOf);
  const selectMessages = db.prepare<[string], { id: string; body: string }>(messagesOf);
  return {
    url,
    apiKey: workspace.api_key,
    /** All tickets of these addresses, oldest first. */
    stored: (emails: readonly string[]): StoredTicket[] =>
      emails
        .flatMap((email) => selectTickets.all(email))
        .map((ticket) => ({ ...ticket, messages: selectMessages.all(ticket.id) })),
    halt: () => running.stop(),
    async resume(): Promise<void> {
      running = await start();
    },
    async stop(): Promise<void> {
      db.close();
      await running.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

export type Service = Awaited<ReturnType<typeof startService>>;
