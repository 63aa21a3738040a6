/** @jsxImportSource hono/jsx */
import type { Agent } from '../../agents/agents.ts';
import type { CustomerRecord } from '../../tickets/customers.ts';
import { maxLength } from '../../tickets/model.ts';
import { sentences } from '../sentences/sentences.ts';
import type { NoticeName } from './notices.ts';
import { Page } from './Page.tsx';
import { Empty, Fault } from './parts.tsx';
import { SearchForm } from './SearchForm.tsx';

const texts = sentences.customers;

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
    <Page title={sentences.sections.customers} section="customers" agent={agent} notice={notice}>
      <div class="head">
        <h1>{sentences.sections.customers}</h1>
        <SearchForm action="/desk/customers" search={search} label={texts.search} hint={texts.searchHint} />
      </div>
      <Fault id="company-fault" text={fault} />
      {customers.length === 0 ? (
        <Empty {...(search === '' ? texts.none : texts.noneFound)} />
      ) : (
        <ul class="rows customers">
          {customers.map((customer) => (
            <Row customer={customer} search={search} />
          ))}
        </ul>
      )}
      {hasMore ? <p class="hint">{texts.more}</p> : null}
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
        {texts.tickets(customer.ticket_count)}
      </a>
      <form class="line" method="post" action={`/desk/customers/${customer.id}/company`}>
        <input type="hidden" name="q" value={search} />
        <label class="unseen" htmlFor={fieldId}>
          {texts.companyOf(customer.email)}
        </label>
        <input
          id={fieldId}
          name="company"
          placeholder={texts.company}
          value={customer.company ?? ''}
          maxlength={maxLength.company}
        />
        <button class="plain" type="submit">
          {sentences.save}
        </button>
      </form>
    </li>
  );
}
