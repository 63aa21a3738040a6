import { randomUUID } from 'node:crypto';
import type { Db } from './db/open.ts';
import { addAnswer, addCustomerMessage, addNote } from './tickets/add-message.ts';
import { createTicket } from './tickets/create-ticket.ts';
import { setCompany } from './tickets/customers.ts';
import { setStatus } from './tickets/handle-ticket.ts';
import { saveAnswer } from './tickets/saved-answers.ts';
import { demoAnswers, demoTickets } from './demo-tickets.ts';

/** Fills a new workspace with the tickets of a small shop, dated back from `now`. */
export function seedDemo(db: Db, workspaceId: string, agentId: string, now: Date): void {
  const at = (hoursAgo: number) => new Date(now.getTime() - hoursAgo * 3_600_000);
  const seed = db.transaction(() => {
    for (const answer of demoAnswers) saveAnswer(db, workspaceId, { id: null, ...answer });
    for (const demo of demoTickets) {
      const ticket = createTicket(db, workspaceId, { ...demo.ticket }, at(demo.hoursAgo));
      if (demo.company !== undefined) setCompany(db, workspaceId, ticket.customer_id, demo.company);
      for (const entry of demo.entries) {
        const when = at(entry.hoursAgo);
        const written = { id: randomUUID(), body: entry.body, agentId };
        if (entry.by === 'customer') addCustomerMessage(db, workspaceId, ticket.id, entry.body, when);
        else if (entry.by === 'agent') addAnswer(db, workspaceId, ticket.id, written, when);
        else addNote(db, workspaceId, ticket.id, written, when);
      }
      if (demo.status !== undefined) {
        const last = demo.entries.at(-1);
        setStatus(db, workspaceId, ticket.id, demo.status, at(last?.hoursAgo ?? demo.hoursAgo));
      }
    }
  });
  seed.immediate();
}
