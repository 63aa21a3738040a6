import { fieldErrorName, type FormField, maxAnswerLength } from '../../../shared/contract/form.ts';
import { fill } from '../i18n/words.ts';
import { Field } from '../ui/Field.tsx';
import { faultText, type FormProps } from './form-props.ts';
import type { Answer } from './check-answer.ts';

interface OwnFieldProps extends FormProps {
  field: FormField;
}

/** A field of the operator's form. */
export function OwnField(props: OwnFieldProps) {
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
