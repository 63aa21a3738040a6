import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { AcceptedTicket } from '../../../shared/contract/accepted.ts';
import type { Session } from '../../core/identity/sessions.ts';
import type { Store } from '../../core/store/open.ts';
import type { Core } from '../../core/wiring.ts';
import { startMs } from './time.ts';

/** One customer in one browser. */
export interface Person {
  email: string;
  session: Session;
}

/** The ids of others and of their tickets begin with this. No simulation changes them. */
export const others = 'other ';

/** Removes everything except the rows of others. */
export async function emptyStore(store: Store): Promise<void> {
  await store.deleteFrom('operations').where('subject_id', 'not like', `${others}%`).execute();
  await store.deleteFrom('subjects').where('id', 'not like', `${others}%`).execute();
  await store.deleteFrom('tickets').where('id', 'not like', `${others}%`).execute();
}

/** Adds this many tickets of as many others. */
export async function addOtherTickets(store: Store, count: number): Promise<void> {
  const numbered = (statement: string) =>
    sql
      .raw(
        `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count}) ${statement} FROM numbers`,
      )
      .execute(store);
  const id = `'${others}' || n`;
  await numbered(`INSERT INTO subjects (id, verified, created_at) SELECT ${id}, 0, ${startMs}`);
  await numbered(
    `INSERT INTO tickets (id, facts_sealed, agent_count, closed, read_at) SELECT ${id}, 'other', 1, 0, ${startMs}`,
  );
  await numbered(`INSERT INTO grants (subject_id, ticket_id, created_at) SELECT ${id}, ${id}, ${startMs}`);
}

export async function openSession({ sessions }: Core, subjectId: string): Promise<Session> {
  return (await sessions.issue(subjectId, { isSignedIn: false, isBearer: false })).session;
}

export async function addPerson(core: Core, email: string, isProven = false): Promise<Person> {
  const { store, subjects } = core;
  const subjectId = await subjects.create({ email, name: null });
  if (isProven)
    await store
      .updateTable('subjects')
      .set({ verified: 1, address_hash: subjects.addressHash(email) })
      .where('id', '=', subjectId)
      .execute();
  return { email, session: await openSession(core, subjectId) };
}

/** Opens a ticket, and returns its id at the service. */
export async function openTicket(
  { delivery, subjects }: Core,
  { email, session }: Person,
  more: Partial<AcceptedTicket> = {},
): Promise<string> {
  const subject = await subjects.find(session.subjectId);
  const payload = { subject: 'Help', description: 'Please.', customer_email: email, ...more };
  const { row } = await delivery.acceptTicket({ session, subject }, false, randomUUID(), payload);
  return (await delivery.follow(row)).ticket_id!;
}

/** Replies, where the customer may. */
export async function reply(
  { delivery, grants }: Core,
  { session }: Person,
  ticketId: string,
  body: string,
): Promise<void> {
  if (!(await grants.find(session.subjectId, ticketId))) return;
  const { row } = await delivery.acceptReply(session, { ticketId }, randomUUID(), { body });
  await delivery.follow(row);
}
