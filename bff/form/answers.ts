import type { FieldFault } from '../contract/errors.ts';
import { type FormAnswers, fieldErrorName, fieldsWith, maxAnswerLength } from '../contract/form.ts';
import { invalid, line, required, tooLong } from '../text/fields.ts';
import { createMatcher } from './pattern.ts';
import type { Form } from './schema.ts';

type Field = Form['fields'][number];
type Topic = Form['topics'][number];
type Value = string | boolean;

/** What of the answers fits the form, and by name of the error what does not. */
export interface ReadAnswers {
  topic: Topic | null;
  /** In the order of the form, texts in canonical form; without those that are empty or wrong. */
  values: [field: Field, value: Value][];
  isAgreed: boolean;
  faults: Record<string, FieldFault>;
}

const text = line(maxAnswerLength);

/** Makes a reader of answers to a form. */
export function createAnswerReader(form: Form) {
  const matchers = new Map(
    form.fields.flatMap((field) =>
      field.type === 'text' && field.pattern !== undefined ? [[field.id, createMatcher(field.pattern)]] : [],
    ),
  );

  function readValue(
    field: Field,
    given: Value | undefined,
  ): { value: Value } | { fault: FieldFault } | null {
    if (given === undefined || given === '' || given === false)
      return field.required ? { fault: required } : null;
    if (field.type === 'checkbox') return given === true ? { value: true } : { fault: invalid };
    if (field.type === 'choice')
      return field.options.some(({ id }) => id === given) ? { value: given } : { fault: invalid };
    const parsed = text.safeParse(given);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      const fault = issue?.message === required || issue?.message === tooLong ? issue.message : invalid;
      return fault === required && !field.required ? null : { fault };
    }
    return (matchers.get(field.id)?.(parsed.data) ?? true) ? { value: parsed.data } : { fault: invalid };
  }

  return function readAnswers({
    topic: topicId,
    fields: given = {},
    consent = false,
  }: FormAnswers): ReadAnswers {
    const faults: Record<string, FieldFault> = {};
    const topic = form.topics.find(({ id }) => id === topicId) ?? null;
    if (topicId !== undefined && !topic) faults['topic'] = invalid;
    if (topicId === undefined && form.topicRequired) faults['topic'] = required;
    const asked = fieldsWith(form, topic?.id);
    const answers = new Map(Object.entries(given));
    const values: ReadAnswers['values'] = [];
    for (const field of asked) {
      const read = readValue(field, answers.get(field.id));
      if (read && 'value' in read) values.push([field, read.value]);
      if (read && 'fault' in read) faults[fieldErrorName(field.id)] = read.fault;
    }
    for (const id of answers.keys())
      if (!asked.some((field) => field.id === id)) faults[fieldErrorName(id)] = invalid;
    if (form.consent?.type === 'checkbox' && !consent) faults['consent'] = required;
    return { topic, values, isAgreed: consent && form.consent !== undefined, faults };
  };
}
