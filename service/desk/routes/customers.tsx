/** @jsxImportSource hono/jsx */
import { Hono, type Context } from 'hono';
import type { Deps } from '../../deps.ts';
import { Problem } from '../../problem.ts';
import { listCustomers, setCompany } from '../../tickets/customers.ts';
import { maxLength } from '../../tickets/model.ts';
import { checkText, readForm } from '../form.ts';
import { sentences } from '../sentences/sentences.ts';
import type { DeskEnv } from '../session.ts';
import { Customers } from '../views/Customers.tsx';
import { readNotice } from '../views/notices.ts';

const listLimit = 100;

/** The customers and their companies. */
export function customerRoutes({ db }: Deps): Hono<DeskEnv> {
  const routes = new Hono<DeskEnv>();

  const show = (c: Context<DeskEnv>, search: string, fault?: string) => {
    const { agent } = c.var;
    const found = listCustomers(db, agent.workspace_id, search, listLimit + 1);
    const customers = found.slice(0, listLimit);
    const notice = readNotice(c.req.query('done'));
    const hasMore = found.length > listLimit;
    return c.html(<Customers {...{ agent, search, customers, hasMore, notice, fault }} />, fault ? 400 : 200);
  };

  routes.get('/', (c) => show(c, c.req.query('q')?.trim() ?? ''));

  routes.post('/:id/company', async (c) => {
    const { company = '', q = '' } = await readForm(c);
    const checked = company.trim() === '' ? { text: null } : checkText(company, maxLength.company);
    if ('fault' in checked) return show(c, q, checked.fault);
    if (!setCompany(db, c.var.agent.workspace_id, c.req.param('id'), checked.text))
      throw new Problem(404, sentences.errors.noCustomer);
    return c.redirect(`/desk/customers?${new URLSearchParams({ q, done: 'company-set' }).toString()}`, 303);
  });

  return routes;
}
