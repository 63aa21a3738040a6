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
import type { FieldFault } from '../../../shared/contract/errors.ts';
import { fill } from '../i18n/words.ts';
import { Field } from '../ui/Field.tsx';

/** The operator's form, joined to the form of a new ticket. */
export function startForm(form: SiteForm, sentences: FormSentences, newTicket: NewTicketModel): FormViews {
  adoptStyles(css);
  return formViews({ form, sentences, model: createAnswers(form, newTicket) });
}

/** For views of the operator's form. */
interface FormProps extends AppProps {
  form: SiteForm;
  sentences: FormSentences;
  model: AnswersModel;
}

/** The error of a text field as a sentence; undefined without an error. */
const faultText = ({ app: { s } }: AppProps, fault: FieldFault | undefined, label: string) =>
  fault && fill(s.faults[fault], { field: label, max: String(maxAnswerLength) });

/** What the operator's form adds to the views of a new ticket. */
function formViews(more: Omit<FormProps, 'app'>): FormViews {
  const { form, sentences, model } = more;
  const consent = splitLinks(form.consent?.text ?? '').map((part) =>
    typeof part === 'string' ? part : part.text,
  );
  return {
    labels: {
      topic: sentences.topic,
      ...Object.fromEntries(form.fields.map(({ id, label }) => [fieldErrorName(id), label])),
      consent: consent.join(''),
    },
    Topics: (props: AppProps) => <Topics {...props} {...more} />,
    Answers: (props: AppProps) => (
      <>
        {model.asked.value.map((field) => (
          <OwnField key={field.id} {...props} {...more} field={field} />
        ))}
      </>
    ),
    Consent: (props: AppProps) => <Consent {...props} {...more} />,
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

/** A sentence with links as nodes. SECURITY: an address with another scheme could run a script. */
function Linked({ sentence }: { sentence: string }) {
  return (
    <span dir="auto">
      {splitLinks(sentence).map((part) =>
        typeof part === 'string' || !isWebAddress(part.address) ? (
          typeof part === 'string' ? (
            part
          ) : (
            part.text
          )
        ) : (
          <a key={part.address} href={part.address} target="_blank" rel="noopener noreferrer">
            {part.text}
          </a>
        ),
      )}
    </span>
  );
}

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

interface OwnFieldProps extends FormProps {
  field: FormField;
}

/** A field of the operator's form. */
function OwnField(props: OwnFieldProps) {
  const { app, field, sentences, model } = props;
  const { id, label, type, required = false } = field;
  const name = fieldErrorName(id);
  const value = model.answers.value.fields[id];
  const fault = model.errors.value[name];
  const answer = (given: Answer) => {
    app.view.keepForm();
    model.answer(id, given);
  };
  const note = `${name}-note`;
  const error =
    type === 'text' ? faultText(props, fault, label) : type === 'choice' ? sentences.choose : sentences.tick;
  if (type === 'text')
    return (
      <Field
        app={app}
        name={name}
        label={label}
        kind={{ autoComplete: 'off', maxLength: maxAnswerLength }}
        value={String(value ?? '')}
        error={error}
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
      {error}
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
