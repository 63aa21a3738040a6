import { fieldErrorName, splitLinks } from '../../../shared/contract/form.ts';
import type { FormViews, AppProps } from '../app.ts';
import { Consent } from './Consent.tsx';
import type { FormProps } from './form-props.ts';
import { OwnField } from './OwnField.tsx';
import { Topics } from './Topics.tsx';

/** What the operator's form adds to the views of a new ticket. */
export function formViews(more: Omit<FormProps, 'app'>): FormViews {
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
