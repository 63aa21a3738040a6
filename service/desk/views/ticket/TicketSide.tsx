/** @jsxImportSource hono/jsx */
import type { Agent } from '../../../agents/agents.ts';
import type { CustomerTicket } from '../../../tickets/customers.ts';
import { readLine } from '../../../files/lines.ts';
import { readDetails, splitFooter, type Footer } from '../../../tickets/footer.ts';
import type { DeskTicket } from '../../../tickets/handle-ticket.ts';
import { maxLength, statuses } from '../../../tickets/model.ts';
import { sentences } from '../../sentences/sentences.ts';
import { MessageText } from './MessageText.tsx';
import { AgentName, Ago, Fault, FullTime, StatusMark } from '../parts.tsx';
import type { Refused } from './refused.ts';

const texts = sentences.ticket;

/** The customer's newest tickets apart from the shown one. */
export type OtherTickets = CustomerTicket[];

interface Props {
  agent: Agent;
  ticket: DeskTicket;
  /** The address of one of the ticket's forms. */
  action: (name: string) => string;
  refusedIn: (form: Refused['form']) => Refused | undefined;
}

/** The customer, and the actions for the ticket. */
export function TicketSide({ others, now, ...props }: Props & { others: OtherTickets; now: Date }) {
  const { ticket } = props;
  const { footer } = splitFooter(ticket.description);
  // Files are in the conversation.
  const details = footer?.details.filter((line) => !readLine(line)) ?? [];
  return (
    <aside class="about-ticket" aria-label={texts.side}>
      <Customer {...props} footer={footer} />
      <section class="card stack">
        <h2>{texts.ticket}</h2>
        <dl>
          <dt>{texts.priority}</dt>
          <dd>{sentences.marks.priorities[ticket.priority]}</dd>
          <dt>{texts.created}</dt>
          <dd>
            <FullTime at={ticket.created_at} />
          </dd>
          <dt>{texts.source}</dt>
          <dd>{ticket.source}</dd>
          {footer ? <Origin footer={footer} /> : null}
        </dl>
        {details.length > 0 ? <Details lines={details} /> : null}
        {ticket.merged_into === null ? <Actions {...props} /> : null}
      </section>
      <Others {...{ others, now }} email={ticket.customer.email} />
    </aside>
  );
}

function Customer({ ticket, action, refusedIn, footer }: Props & { footer: Footer | null }) {
  return (
    <section class="card stack">
      <h2>{texts.customer}</h2>
      <dl>
        <dt>{texts.name}</dt>
        <dd>{ticket.customer.name ?? <span class="none">{texts.noName}</span>}</dd>
        <dt>{texts.email}</dt>
        <dd class="email">
          {ticket.customer.email}
          {footer?.isEmailVerified == null ? null : (
            <span class={footer.isEmailVerified ? 'proved' : 'unproved'}>
              {footer.isEmailVerified ? texts.emailVerified : texts.emailNotVerified}
            </span>
          )}
        </dd>
      </dl>
      <div class="line">
        <label htmlFor="company">{texts.company}</label>
        <input
          id="company"
          name="company"
          autocomplete="off"
          value={refusedIn('company')?.text ?? ticket.customer.company ?? ''}
          maxlength={maxLength.company}
          aria-describedby={refusedIn('company') ? 'company-fault' : undefined}
        />
        <button class="plain" type="submit" formAction={action('company')}>
          {sentences.save}
        </button>
      </div>
      <Fault id="company-fault" text={refusedIn('company')?.fault} />
    </section>
  );
}

/** The facts in the line at the end of the description. */
function Origin({ footer }: { footer: Footer }) {
  return (
    <>
      {footer.page === null ? null : (
        <>
          <dt>{texts.originPage}</dt>
          <dd>
            <MessageText text={footer.page} author="customer" />
          </dd>
        </>
      )}
      {footer.ref === null ? null : (
        <>
          <dt>{texts.ref}</dt>
          <dd>
            <code>{footer.ref}</code>
          </dd>
        </>
      )}
      {footer.otherFacts.map((fact) => (
        <>
          <dt>{texts.also}</dt>
          <dd>{fact}</dd>
        </>
      ))}
    </>
  );
}

/** The customer's answers to the client's form, their consent, and what the page and the site's server say. */
function Details({ lines }: { lines: string[] }) {
  return (
    <dl class="details" aria-label={texts.details}>
      {readDetails(lines).map(({ label, value, isVerified }) => (
        <>
          <dt dir="auto">{label}</dt>
          <dd dir="auto">
            <MessageText text={value} author="customer" />
            {isVerified === null ? null : (
              <span class={isVerified ? 'proved' : 'unproved'}>
                {isVerified ? texts.verified : texts.saidByPage}
              </span>
            )}
          </dd>
        </>
      ))}
    </dl>
  );
}

function Actions(props: Props) {
  const { ticket, action, refusedIn } = props;
  const merge = refusedIn('merge');
  return (
    <>
      <Assignment {...props} />
      <div class="line">
        <label htmlFor="status">{texts.status}</label>
        <select id="status" name="status" autocomplete="off">
          {statuses.map((status) => (
            <option value={status} selected={status === ticket.status}>
              {sentences.marks.statuses[status]}
            </option>
          ))}
        </select>
        <button class="plain" type="submit" formAction={action('status')}>
          {texts.setStatus}
        </button>
        <Fault id="status-fault" text={refusedIn('status')?.fault} />
      </div>
      <div class="line">
        <label htmlFor="merge">{texts.mergeInto}</label>
        <input
          id="merge"
          name="number"
          inputmode="numeric"
          autocomplete="off"
          autofocus={merge !== undefined}
          value={merge?.text ?? ''}
          aria-describedby={merge ? 'merge-hint merge-fault' : 'merge-hint'}
        />
        <button class="plain" type="submit" formAction={action('merge')}>
          {texts.merge}
        </button>
        <Fault id="merge-fault" text={merge?.fault} />
        <p class="hint" id="merge-hint">
          {texts.mergeHint}
        </p>
      </div>
    </>
  );
}

function Assignment({ agent, ticket: { assignee }, action, refusedIn }: Props) {
  const isYou = assignee?.id === agent.id;
  return (
    <div class="line assignment" id="assignment">
      {/* The change is refused if somebody else was assigned meanwhile. */}
      <input type="hidden" name="assignee" value={assignee?.id ?? ''} autocomplete="off" />
      <p class="label">{texts.assignedTo}</p>
      <span class="assignee-now">
        {assignee ? <AgentName email={assignee.email} isYou={isYou} /> : texts.nobody}
      </span>
      <button
        class="plain"
        type="submit"
        formAction={action('assign')}
        name="assign"
        value={isYou ? 'nobody' : 'me'}
      >
        {isYou ? texts.unassign : texts.assignToMe}
      </button>
      <Fault id="assign-fault" text={refusedIn('assign')?.fault} />
    </div>
  );
}

function Others({ others, now, email }: { others: OtherTickets; now: Date; email: string }) {
  return (
    <section class="card stack" id="others">
      <h2>{texts.others}</h2>
      {others.length === 0 ? <p class="hint">{texts.noOthers}</p> : null}
      <ul class="others">
        {others.map((ticket) => (
          <li>
            <a href={`/desk/tickets/${ticket.id}`}>
              #{ticket.ticket_number} {ticket.subject.trim() || sentences.noSubject}
            </a>{' '}
            <StatusMark status={ticket.status} isMerged={ticket.is_merged} />{' '}
            <Ago at={ticket.updated_at} now={now} />
          </li>
        ))}
      </ul>
      {others.length > 0 ? (
        <a href={`/desk?${new URLSearchParams({ status: 'all', q: email }).toString()}`}>
          {texts.allOfCustomer}
        </a>
      ) : null}
    </section>
  );
}
