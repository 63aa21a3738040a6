/** @jsxImportSource hono/jsx */
import { Hono, type Context } from 'hono';
import type { Deps } from '../../deps.ts';
import { getDeskTicket } from '../../tickets/handle-ticket.ts';
import { findMergeTarget, mergeTicket, type MergeFault } from '../../tickets/merge-ticket.ts';
import { readForm } from '../form.ts';
import { sentences } from '../sentences/sentences.ts';
import type { DeskEnv } from '../session.ts';
import type { TicketRequests } from '../ticket-requests.tsx';
import { ConfirmMerge } from '../views/ticket/ConfirmMerge.tsx';

/** Requests and confirms the merge of one ticket into another; to be mounted under `/tickets/:id`. */
export function mergeRoutes(deps: Deps, requests: TicketRequests): Hono<DeskEnv> {
  const { db, now } = deps;
  const routes = new Hono<DeskEnv>();

  const parseNumber = (text: string) => Number(/^#?(\d{1,15})$/.exec(text.trim())?.[1] ?? 0);
  const refuse = (c: Context<DeskEnv>, fault: MergeFault, text: string) =>
    requests.show(c, { form: 'merge', fault: sentences.faults.merge[fault], text });

  routes.get('/merge', (c) => {
    const ticket = requests.find(c);
    const text = c.req.query('number') ?? '';
    const found = findMergeTarget(db, c.var.agent.workspace_id, ticket.id, parseNumber(text));
    if (typeof found === 'string') return refuse(c, found, text);
    const target = getDeskTicket(db, c.var.agent.workspace_id, found.id)!;
    return c.html(<ConfirmMerge agent={c.var.agent} ticket={ticket} target={target} />);
  });

  routes.post('/merge', async (c) => {
    const ticket = requests.find(c);
    const fields = await readForm(c);
    requests.keepDrafts(c, fields);
    const text = fields['number'] ?? '';
    const found = findMergeTarget(db, c.var.agent.workspace_id, ticket.id, parseNumber(text));
    if (typeof found === 'string') return refuse(c, found, text);
    return c.redirect(`/desk/tickets/${ticket.id}/merge?number=${found.ticket_number}`, 303);
  });

  routes.post('/merge/confirmed', async (c) => {
    const ticket = requests.find(c);
    const { number: text = '' } = await readForm(c);
    const by = { agentId: c.var.agent.id, now: now() };
    const fault = mergeTicket(db, c.var.agent.workspace_id, ticket.id, parseNumber(text), by);
    return fault ? refuse(c, fault, text) : requests.done(c, 'merged');
  });

  return routes;
}
