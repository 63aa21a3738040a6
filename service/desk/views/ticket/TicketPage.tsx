/** @jsxImportSource hono/jsx */
import { agentName, type Agent } from '../../../agents/agents.ts';
import type { Drafts } from '../../../tickets/drafts.ts';
import type { DeskTicket, TicketReference } from '../../../tickets/handle-ticket.ts';
import type { SavedAnswer } from '../../../tickets/saved-answers.ts';
import { withList, type ListPlace } from '../../list-place.ts';
import type { Others as OthersHere } from '../../presence.ts';
import { sentences } from '../../sentences/sentences.ts';
import { Conversation } from './Conversation.tsx';
import type { NoticeName } from '../notices.ts';
import { Page } from '../Page.tsx';
import { Fault, NeedsAnswerMark, PriorityMark, StatusMark } from '../parts.tsx';
import { InsertSaved, SavedAnswersDialog } from './InsertSaved.tsx';
import type { Refused } from './refused.ts';
import { TicketSide, type OtherTickets } from './TicketSide.tsx';
import { WriteCard } from './WriteCard.tsx';

const texts = sentences.ticket;

interface Props {
  agent: Agent;
  now: Date;
  ticket: DeskTicket;
  others: OtherTickets;
  /** Other agents on this page. */
  here: OthersHere;
  version: string;
  /** The list that the agent came from. */
  list: ListPlace;
  drafts: Drafts;
  /** Origins whose pictures are shown in place. */
  shownFrom: readonly string[];
  savedAnswers: SavedAnswer[];
  opensNext: boolean;
  notice?: NoticeName | undefined;
  refused?: Refused | undefined;
}

export function TicketPage(props: Props) {
  const { agent, now, ticket, others, here, version, list, drafts, notice, refused } = props;
  const { savedAnswers, opensNext, shownFrom } = props;
  const title = ticket.subject.trim() || sentences.noSubject;
  const path = `/desk/tickets/${ticket.id}`;
  const action = (name: string) => withList(`${path}/${name}`, list);
  const canAnswer = ticket.merged_into === null;
  const refusedIn = (form: Refused['form']) => (refused?.form === form ? refused : undefined);
  return (
    <Page
      title={`#${ticket.ticket_number} ${title}`}
      section="tickets"
      agent={agent}
      notice={notice}
      live={{ source: withList(path, list), version }}
      skip={canAnswer ? { to: '#answer', label: texts.skipToAnswer } : undefined}
    >
      <div class="ticket-head">
        <p id="head">
          <a class="back" href={withList('/desk', list)}>
            {sentences.sections.tickets}
          </a>{' '}
          <span class="number">#{ticket.ticket_number}</span>{' '}
          <StatusMark status={ticket.status} isMerged={ticket.merged_into !== null} />{' '}
          {ticket.needs_answer ? <NeedsAnswerMark /> : null} <PriorityMark priority={ticket.priority} />
        </p>
        <h1>{title}</h1>
        <output class="here" id="here">
          {texts.here(here.writing.map(agentName), here.looking.map(agentName))}
        </output>
      </div>
      {/* One form, so that each button carries what was written for another. */}
      <form class="ticket" method="post" action={action('enter')} data-draft={`${agent.id}:${ticket.id}`}>
        {/* What Enter in a field of one line presses. */}
        <button class="unseen" type="submit" tabindex={-1} aria-hidden="true">
          {sentences.save}
        </button>
        <div class="talk">
          <Merges ticket={ticket} />
          <Conversation ticket={ticket} agent={agent} seen={refused?.seen} shownFrom={shownFrom} />
          {canAnswer ? (
            <WriteCard
              kind="answer"
              action={action}
              draft={drafts.answer}
              refused={refusedIn('answer')}
              above={
                <>
                  {/* The script shows it. */}
                  <button class="quiet" type="button" id="attach" hidden>
                    {texts.attach}
                  </button>
                  <InsertSaved answers={savedAnswers} action={action} />
                </>
              }
              beside={<ThenNext isChecked={opensNext} />}
            />
          ) : (
            <Unsent text={drafts.answer} fault={refusedIn('answer')?.fault} />
          )}
          <WriteCard kind="note" action={action} draft={drafts.note} refused={refusedIn('note')} />
        </div>
        <TicketSide {...{ agent, now, ticket, others, action, refusedIn }} />
      </form>
      {canAnswer ? <SavedAnswersDialog source={`${path}/saved-answers`} /> : null}
    </Page>
  );
}

/** Belongs to both buttons that send an answer. */
function ThenNext({ isChecked }: { isChecked: boolean }) {
  return (
    <label class="check">
      <input type="checkbox" name="next" value="1" checked={isChecked} autocomplete="off" />
      {texts.thenNext}
    </label>
  );
}

/** An answer that was written before a merge. The agent can copy it, since the ticket takes no more answers. */
function Unsent({ text, fault }: { text: string; fault: string | undefined }) {
  if (text === '') return null;
  return (
    <section class="card stack">
      <label htmlFor="unsent">{texts.unsent}</label>
      <textarea
        id="unsent"
        rows={4}
        dir="auto"
        readonly
        aria-describedby={fault ? 'unsent-fault' : undefined}
      >
        {text}
      </textarea>
      <Fault id="unsent-fault" text={fault} />
    </section>
  );
}

function Merges({ ticket }: { ticket: DeskTicket }) {
  const { merged_into: target, merged_from: sources } = ticket;
  return (
    <ul class="merges" id="merges">
      {target ? <li>{texts.mergedInto(<TicketLink to={target} />)}</li> : null}
      {sources.map((source) => (
        <li>{texts.mergedFrom(<TicketLink to={source} />)}</li>
      ))}
    </ul>
  );
}

function TicketLink({ to }: { to: TicketReference }) {
  return <a href={`/desk/tickets/${to.id}`}>{`#${to.ticket_number} ${to.subject}`}</a>;
}
