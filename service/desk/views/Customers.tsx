/** @jsxImportSource hono/jsx */
import type { Agent } from '../../agents/agents.ts';
import type { CustomerRecord } from '../../tickets/customers.ts';
import { maxLength } from '../../tickets/model.ts';
import type { NoticeName } from './notices.ts';
import { Page } from './Page.tsx';
import { Empty, Fault } from './parts.tsx';

interface Props {
  agent: Agent;
  search: string;
  customers: CustomerRecord[];
  hasMore: boolean;
  notice?: NoticeName | undefined;
  fault?: string | undefined;
}

export function Customers({ agent, search, customers, hasMore, notice, fault }: Props) {
  return (
    <Page title="Customers" section="Customers" agent={agent} notice={notice}>
      <div class="head">
        <h1>Customers</h1>
        <search>
          <form class="search" method="get" action="/desk/customers">
            <input
              type="search"
              name="q"
              value={search}
              aria-label="Search customers"
              placeholder="Name, email or company"
            />
            <button class="plain" type="submit">
              Search
            </button>
          </form>
        </search>
      </div>
      <Fault id="company-fault" text={fault} />
      {customers.length === 0 ? (
        <Empty title={search === '' ? 'No customers yet' : 'No customers found'}>
          {search === '' ? 'A customer appears here with their first ticket.' : 'Try a shorter word.'}
        </Empty>
      ) : (
        <ul class="rows customers">
          {customers.map((customer) => (
            <Row customer={customer} search={search} />
          ))}
        </ul>
      )}
      {hasMore ? <p class="hint">There are more. Search to narrow the list.</p> : null}
    </Page>
  );
}

function Row({ customer, search }: { customer: CustomerRecord; search: string }) {
  const fieldId = `company-${customer.id}`;
  return (
    <li>
      <span class="person">
        <strong>{customer.name ?? customer.email}</strong>
        {customer.name === null ? null : <span class="email">{customer.email}</span>}
      </span>
      <a href={`/desk?${new URLSearchParams({ status: 'all', q: customer.email }).toString()}`}>
        {customer.ticket_count === 1 ? '1 ticket' : `${customer.ticket_count} tickets`}
      </a>
      <form class="line" method="post" action={`/desk/customers/${customer.id}/company`}>
        <input type="hidden" name="q" value={search} />
        <label class="unseen" htmlFor={fieldId}>{`Company of ${customer.email}`}</label>
        <input
          id={fieldId}
          name="company"
          placeholder="Company"
          value={customer.company ?? ''}
          maxlength={maxLength.company}
        />
        <button class="plain" type="submit">
          Save
        </button>
      </form>
    </li>
  );
}
