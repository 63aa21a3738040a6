import type { FieldFault } from '../../../shared/contract/errors.ts';
import {
  type FormAnswers,
  fieldErrorName,
  fieldsWith,
  maxAnswerLength,
} from '../../../shared/contract/form.ts';
import { plainly } from '../../../shared/contract/typed.ts';
import { invalid, line, required, tooLong } from '../../core/text/fields.ts';
import { createMatcher, type Form } from './form-file.ts';

type Field = Form['fields'][number];
type Topic = Form['topics'][number];
type Value = string | boolean;

/** The answers that are valid for the form, and the errors of the others by name. */
export interface ReadAnswers {
  topic: Topic | null;
  /** In the order of the form, with texts in canonical form. Empty and invalid answers are left out. */
  values: [field: Field, value: Value][];
  isAgreed: boolean;
  errors: Record<string, FieldFault>;
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
  ): { value: Value } | { error: FieldFault } | null {
    if (given === undefined || given === '' || given === false)
      return field.required ? { error: required } : null;
    if (field.type === 'checkbox') return given === true ? { value: true } : { error: invalid };
    if (field.type === 'choice')
      return field.options.some(({ id }) => id === given) ? { value: given } : { error: invalid };
    const parsed = text.safeParse(given);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      const error = issue?.message === required || issue?.message === tooLong ? issue.message : invalid;
      return error === required && !field.required ? null : { error };
    }
    // A number may come with digits of another script, or with marks that nobody sees.
    const isMatch = matchers.get(field.id) ?? (() => true);
    const value = [parsed.data, plainly(parsed.data)].find(isMatch);
    return value === undefined ? { error: invalid } : { value };
  }

  return function readAnswers({
    topic: topicId,
    fields: given = {},
    consent = false,
  }: FormAnswers): ReadAnswers {
    const errors: Record<string, FieldFault> = {};
    const topic = form.topics.find(({ id }) => id === topicId) ?? null;
    if (topicId !== undefined && !topic) errors['topic'] = invalid;
    if (topicId === undefined && form.topicRequired) errors['topic'] = required;
    const asked = fieldsWith(form, topic?.id);
    const answers = new Map(Object.entries(given));
    const values: ReadAnswers['values'] = [];
    for (const field of asked) {
      const read = readValue(field, answers.get(field.id));
      if (read && 'value' in read) values.push([field, read.value]);
      if (read && 'error' in read) errors[fieldErrorName(field.id)] = read.error;
    }
    for (const id of answers.keys())
      if (!asked.some((field) => field.id === id)) errors[fieldErrorName(id)] = invalid;
    if (form.consent?.type === 'checkbox' && !consent) errors['consent'] = required;
    return { topic, values, isAgreed: consent && form.consent !== undefined, errors };
  };
}
