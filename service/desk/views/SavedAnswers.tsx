/** @jsxImportSource hono/jsx */
import type { Agent } from '../../agents/agents.ts';
import { maxLength } from '../../tickets/model.ts';
import type { SavedAnswer } from '../../tickets/saved-answers.ts';
import { sentences } from '../sentences/sentences.ts';
import type { NoticeName } from './notices.ts';
import { Page } from './Page.tsx';
import { Empty, Fault } from './parts.tsx';

const texts = sentences.savedAnswers;

/** What the form shows, and why it was refused. */
export interface TypedAnswer {
  name: string;
  text: string;
  faults?: { name?: string | undefined; text?: string | undefined };
}

interface Props {
  agent: Agent;
  answers: SavedAnswer[];
  typed?: TypedAnswer | undefined;
  notice?: NoticeName | undefined;
}

export function SavedAnswers({ agent, answers, typed, notice }: Props) {
  return (
    <Page title={sentences.sections.answers} section="answers" agent={agent} notice={notice}>
      <div class="head">
        <h1>{sentences.sections.answers}</h1>
      </div>
      <p class="lead">{texts.lead}</p>
      <form class="card stack" method="post" action="/desk/saved-answers">
        <Fields typed={typed} />
        <button type="submit">{texts.add}</button>
      </form>
      {answers.length === 0 ? (
        <Empty {...texts.none} />
      ) : (
        <ul class="rows answers">
          {answers.map((answer) => (
            <Row answer={answer} />
          ))}
        </ul>
      )}
    </Page>
  );
}

/** The page that edits one. */
export function EditSavedAnswer({ agent, id, typed }: { agent: Agent; id: string; typed: TypedAnswer }) {
  return (
    <Page title={texts.editTitle} section="answers" agent={agent}>
      <div class="head">
        <h1>{texts.editTitle}</h1>
      </div>
      <form class="card stack" method="post" action={`/desk/saved-answers/${id}`}>
        <Fields typed={typed} />
        <p class="buttons">
          <button type="submit">{sentences.save}</button>
          <a href="/desk/saved-answers">{sentences.cancel}</a>
        </p>
      </form>
    </Page>
  );
}

function Fields({ typed }: { typed: TypedAnswer | undefined }) {
  const { name: nameFault, text: textFault } = typed?.faults ?? {};
  return (
    <>
      <div class="field">
        <label htmlFor="answer-name">{texts.name}</label>
        <input
          id="answer-name"
          name="name"
          required
          autocomplete="off"
          dir="auto"
          value={typed?.name ?? ''}
          maxlength={maxLength.saved_name}
          aria-describedby={nameFault ? 'name-fault' : undefined}
        />
        <Fault id="name-fault" text={nameFault} />
      </div>
      <div class="field">
        <label htmlFor="answer-text">{texts.text}</label>
        <textarea
          id="answer-text"
          name="text"
          rows={6}
          required
          dir="auto"
          aria-describedby={textFault ? 'placeholders text-fault' : 'placeholders'}
        >
          {typed?.text ?? ''}
        </textarea>
        <Fault id="text-fault" text={textFault} />
        <p class="hint" id="placeholders">
          {texts.placeholders}
        </p>
      </div>
    </>
  );
}

function Row({ answer: { id, name, text } }: { answer: SavedAnswer }) {
  return (
    <li>
      <span class="person">
        <strong dir="auto">{name}</strong>
        <span class="facts" dir="auto">
          {text.length > 160 ? `${text.slice(0, 160)}…` : text}
        </span>
      </span>
      <form method="get" action={`/desk/saved-answers/${id}`}>
        <button class="plain" type="submit" aria-label={texts.edit.named(name)}>
          {texts.edit.label}
        </button>
      </form>
      <form method="get" action={`/desk/saved-answers/${id}/remove`}>
        <button class="plain danger" type="submit" aria-label={texts.remove.named(name)}>
          {texts.remove.label}
        </button>
      </form>
    </li>
  );
}
