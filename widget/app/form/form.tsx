import {
  fieldErrorName,
  type FormField,
  isWebAddress,
  maxAnswerLength,
  type SiteForm,
  splitLinks,
} from '../../../shared/contract/form.ts';
import type { FormSentences } from '../../../shared/contract/site.ts';
import type { NewTicketModel } from '../new-ticket/new-ticket.ts';
import type { AppProps, FormViews } from '../app.ts';
import { adoptStyles } from '../browser/page.ts';
import { type Answer, type AnswersModel, createAnswers } from './answers.ts';
import css from './form.css?inline';
import { fill } from '../i18n/words.ts';
import { Field } from '../ui/Field.tsx';

/** For views of the operator's form. */
interface FormProps extends AppProps {
  form: SiteForm;
  sentences: FormSentences;
  model: AnswersModel;
}

/** The operator's form, joined to the form of a new ticket. */
export function startForm(form: SiteForm, sentences: FormSentences, newTicket: NewTicketModel): FormViews {
  adoptStyles(css);
  const model = createAnswers(form, newTicket);
  const own = { form, sentences, model };
  const consent = splitLinks(form.consent?.text ?? '').map(textOf);
  return {
    labels: {
      topic: sentences.topic,
      ...Object.fromEntries(form.fields.map(({ id, label }) => [fieldErrorName(id), label])),
      consent: consent.join(''),
    },
    Topics: ({ app }) => <Topics app={app} {...own} />,
    Answers: ({ app }) => (
      <>
        {model.asked.value.map((field) => (
          <OwnField key={field.id} app={app} {...own} field={field} />
        ))}
      </>
    ),
    Consent: ({ app }) => <Consent app={app} {...own} />,
  };
}

/** What the ticket is about: one of the operator's topics. */
function Topics({ app: { s, view }, form, sentences, model }: FormProps) {
  const { topicRequired = false, topics } = form;
  if (topics.length === 0) return null;
  const chosen = model.topic.value;
  const isWrong = model.errors.value['topic'] !== undefined;
  return (
    <fieldset
      class="topics"
      role="radiogroup"
      aria-labelledby="topics"
      aria-required={topicRequired}
      aria-invalid={isWrong}
      aria-describedby="topic-note topic-hint"
    >
      <legend>
        <span id="topics">{sentences.topic}</span>
        {!topicRequired && <span id="topic-note">{s.optional}</span>}
      </legend>
      <div class="topic-list">
        {topics.map(({ id, label }, at) => (
          <label key={id} class="topic">
            <input
              type="radio"
              name="topic"
              // The summary of errors links to it.
              id={at === 0 ? 'topic' : undefined}
              value={id}
              checked={id === chosen?.id}
              onChange={() => {
                view.keepForm();
                model.choose(id);
              }}
            />
            <span dir="auto">{label}</span>
          </label>
        ))}
      </div>
      {isWrong && (
        <p class="error" id="topic-note">
          {sentences.choose}
        </p>
      )}
      <p class="topic-hint" id="topic-hint" aria-live="polite" dir="auto">
        {chosen?.hint}
      </p>
    </fieldset>
  );
}

/** A part of a sentence with links, as text. */
const textOf = (part: ReturnType<typeof splitLinks>[number]) => (typeof part === 'string' ? part : part.text);

/** A sentence with links as nodes. SECURITY: an address with another scheme could run a script. */
const Linked = ({ sentence }: { sentence: string }) => (
  <span dir="auto">
    {splitLinks(sentence).map((part) =>
      typeof part !== 'string' && isWebAddress(part.address) ? (
        <a key={part.address} href={part.address} target="_blank" rel="noopener noreferrer">
          {part.text}
        </a>
      ) : (
        textOf(part)
      ),
    )}
  </span>
);

/** What the customer agrees to: by a box, or by sending. */
function Consent({ app, form: { consent }, sentences, model }: FormProps) {
  if (!consent) return null;
  const sentence = <Linked sentence={consent.text} />;
  if (consent.type === 'line') return <p class="consent">{sentence}</p>;
  const isWrong = model.errors.value['consent'] !== undefined;
  return (
    <div class="field">
      <label class="check">
        <input
          type="checkbox"
          id="consent"
          aria-required
          aria-invalid={isWrong}
          aria-describedby="consent-note"
          checked={model.answers.value.consent}
          onChange={(event) => {
            app.view.keepForm();
            model.agree(event.currentTarget.checked);
          }}
        />
        {sentence}
      </label>
      {isWrong && (
        <p class="error" id="consent-note">
          {sentences.tick}
        </p>
      )}
    </div>
  );
}

/** A field of the operator's form. */
function OwnField({ app, field, sentences, model }: FormProps & { field: FormField }) {
  const { id, label, type, required = false } = field;
  const name = fieldErrorName(id);
  const value = model.answers.value.fields[id];
  const fault = model.errors.value[name];
  const answer = (given: Answer) => {
    app.view.keepForm();
    model.answer(id, given);
  };
  const note = `${name}-note`;
  const max = maxAnswerLength;
  if (type === 'text')
    return (
      <Field
        app={app}
        name={name}
        label={label}
        kind={{ autoComplete: 'off', maxLength: max }}
        value={String(value ?? '')}
        error={fault && fill(app.s.faults[fault], { field: label, max: String(max) })}
        isOptional={!required}
        onText={answer}
      >
        {field.example && (
          <span id={`${name}-count`}>{fill(sentences.example, { example: field.example })}</span>
        )}
      </Field>
    );
  const control = {
    id: name,
    name,
    'aria-required': required,
    'aria-invalid': fault !== undefined,
    'aria-describedby': note,
  };
  const errorText = fault && (
    <p class="error" id={note}>
      {type === 'choice' ? sentences.choose : sentences.tick}
    </p>
  );
  if (type === 'checkbox')
    return (
      <div class="field">
        <label class="check" dir="auto">
          <input
            type="checkbox"
            {...control}
            checked={value === true}
            onChange={(event) => answer(event.currentTarget.checked)}
          />
          {label}
        </label>
        {errorText}
      </div>
    );
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {!required && !fault && <span id={note}>{app.s.optional}</span>}
      <select
        {...control}
        value={String(value ?? '')}
        onChange={(event) => answer(event.currentTarget.value)}
      >
        <option value="">{sentences.choose}</option>
        {field.options.map((option) => (
          <option key={option.id} value={option.id}>
            {option.label}
          </option>
        ))}
      </select>
      {errorText}
    </div>
  );
}
