import type { FormField, SiteForm } from '../../../shared/contract/form.ts';
import type { Form } from './schema.ts';
import { sentenceIn } from './sentence.ts';

/** The form as customers see it, by the language of the document (a tag of the widget's). */
export function siteForm(form: Form, tag: string): SiteForm {
  return {
    version: form.version,
    ...(form.topicRequired && { topicRequired: true }),
    topics: form.topics.map(({ id, label, hint, articles, fields }) => ({
      id,
      label: sentenceIn(label, tag),
      ...(hint && { hint: sentenceIn(hint, tag) }),
      ...(articles && { articles }),
      ...(fields && { fields }),
    })),
    fields: form.fields.map((field) => siteField(field, tag)),
    ...(form.consent && {
      consent: { type: form.consent.type, text: sentenceIn(form.consent.text, tag) },
    }),
  };
}

function siteField(field: Form['fields'][number], tag: string): FormField {
  const base = {
    id: field.id,
    label: sentenceIn(field.label, tag),
    ...(field.required && { required: true }),
  };
  if (field.type === 'checkbox') return { ...base, type: 'checkbox' };
  if (field.type === 'choice') {
    const options = field.options.map(({ id, label }) => ({ id, label: sentenceIn(label, tag) }));
    return { ...base, type: 'choice', options };
  }
  const { pattern, example } = field;
  return { ...base, type: 'text', ...(pattern && { pattern }), ...(example && { example }) };
}
