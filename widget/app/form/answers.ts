import type { FieldFault } from '../../../shared/contract/errors.ts';
import {
  fieldErrorName,
  fieldsWith,
  type FormAnswers,
  type FormField,
  maxAnswerLength,
  type SiteForm,
} from '../../../shared/contract/form.ts';
import { plainly } from '../../../shared/contract/typed.ts';
import { computed, effect } from '@preact/signals';
import type { FieldErrors, FieldName, NewTicketModel, Prefilled } from '../new-ticket/new-ticket.ts';

export type Answer = string | boolean;

/** Whether a text matches a pattern. A pattern that this browser cannot read is checked by the BFF alone. */
function createMatcher(pattern: string): (text: string) => boolean {
  try {
    const compiled = new RegExp(`^(?:${pattern})$`, 'u');
    return (text) => compiled.test(text);
  } catch {
    return () => true;
  }
}

/** The check of one answer, which finds the error that the BFF would report. */
function createAnswerCheck(form: SiteForm) {
  const matchers = new Map(
    form.fields.map((field) => [field.id, createMatcher((field.type === 'text' && field.pattern) || '[^]*')]),
  );

  return (field: FormField, value: Answer): FieldFault | undefined => {
    if (value === '' || value === false) return field.required ? 'required' : undefined;
    if (typeof value !== 'string') return undefined;
    if (field.type === 'choice') return field.options.some(({ id }) => id === value) ? undefined : 'invalid';
    if (value.length > maxAnswerLength) return 'too_long';
    return [value, plainly(value)].some(matchers.get(field.id)!) ? undefined : 'invalid';
  };
}

/** What the customer has answered so far, as the draft of the form holds it. */
interface Answers {
  topic?: string;
  fields: Record<string, Answer>;
  consent: boolean;
}

const topicName = 'topic';
const consentName = 'consent';

/** The field of the ticket that a field of this form follows; undefined for topics, which come first. */
function placeOf(name: string): FieldName | undefined {
  if (name === topicName) return undefined;
  return name === consentName ? 'customer_name' : 'description';
}

const isAnswer = (value: unknown): value is Answer => typeof value === 'string' || typeof value === 'boolean';
const answersIn = (value: unknown): [string, Answer][] =>
  Object.entries(Object(value) as object).filter((entry): entry is [string, Answer] => isAnswer(entry[1]));

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** An older version may have stored another shape. */
function parseAnswers(json: string): Answers {
  const { topic, fields, consent } = Object(parseJson(json)) as Partial<Record<keyof Answers, unknown>>;
  return {
    ...(typeof topic === 'string' && { topic }),
    fields: Object.fromEntries(answersIn(fields)),
    consent: consent === true,
  };
}

/** The customer has not answered: the value was filled in automatically, or there is none. */
const isFree = (value: unknown, prefilled: unknown) => value === undefined || value === prefilled;

/** The customer's answers to the operator's form: kept, sent and refused with the form of the ticket. */
export function createAnswers(form: SiteForm, newTicket: NewTicketModel) {
  const answers = computed(() => parseAnswers(newTicket.fields.value.answers));
  /** The topic, unless the operator has taken it away since. */
  const topic = computed(() => form.topics.find(({ id }) => id === answers.value.topic));
  const asked = computed(() => fieldsWith(form, topic.value?.id));
  const findError = createAnswerCheck(form);
  const valueOf = (field: FormField): Answer => {
    const value = answers.value.fields[field.id] ?? '';
    return typeof value === 'string' ? value.trim() : value;
  };

  /** The errors that the BFF would report. */
  function findErrors(): Record<string, FieldFault> {
    const errors: Record<string, FieldFault> = {};
    if (form.topicRequired && !topic.value) errors[topicName] = 'required';
    for (const field of asked.value) {
      const error = findError(field, valueOf(field));
      if (error) errors[fieldErrorName(field.id)] = error;
    }
    if (form.consent?.type === 'checkbox' && !answers.value.consent) errors[consentName] = 'required';
    return errors;
  }

  function toSend(): FormAnswers {
    const values = asked.value.map((field) => [field.id, valueOf(field)] as const);
    return {
      version: form.version,
      ...(topic.value && { topic: topic.value.id }),
      fields: Object.fromEntries(values.filter(([, value]) => value !== '' && value !== false)),
      // A consent that is only a line of text is given by sending.
      ...(form.consent && { consent: form.consent.type === 'line' || answers.value.consent }),
    };
  }

  const names = new Set<string>([topicName, consentName, ...form.fields.map(({ id }) => fieldErrorName(id))]);

  /** An error is removed as soon as its field is valid or not shown. New errors are shown only at the next attempt. */
  function clearCorrected() {
    const current = findErrors();
    const shown: FieldErrors = newTicket.errors.peek();
    const left = Object.entries(shown).filter(([name]) => !names.has(name) || current[name]);
    if (left.length === Object.keys(shown).length) return;
    newTicket.refuse(Object.fromEntries(left), left.length > 0 ? newTicket.failure.peek() : null);
  }

  function write(more: Partial<Answers>) {
    newTicket.set('answers', JSON.stringify({ ...answers.peek(), ...more }));
    clearCorrected();
  }

  /** Values that were filled in automatically. Such a value may be filled in again until the customer changes it. */
  const prefilled: Answers = { fields: {}, consent: false };

  /** Fills in what the customer has not answered. */
  function fill({ topic: wanted, fields, form: refused }: Prefilled) {
    const now = answers.peek();
    const next: Answers = { ...now, fields: { ...now.fields } };
    const wantedTopic = refused?.topic ?? wanted;
    if (form.topics.some(({ id }) => id === wantedTopic) && isFree(now.topic, prefilled.topic))
      next.topic = prefilled.topic = wantedTopic as string;
    for (const [id, value] of answersIn(refused?.fields ?? fields))
      if (form.fields.some((field) => field.id === id) && isFree(now.fields[id], prefilled.fields[id]))
        next.fields[id] = prefilled.fields[id] = value;
    // A consent is never filled in for the customer. Only their own one comes back after a refusal.
    if (refused?.version === form.version && refused.consent) next.consent = true;
    if (refused) {
      // Stored as the customer's own draft. The errors of the refusal stay.
      const [errors, failure] = [newTicket.errors.peek(), newTicket.failure.peek()];
      newTicket.set('answers', JSON.stringify(next));
      newTicket.refuse(errors, failure);
    } else newTicket.fields.value = { ...newTicket.fields.peek(), answers: JSON.stringify(next) };
  }

  let filled = 0;
  effect(() => {
    const all = newTicket.prefills.value;
    for (; filled < all.length; filled += 1) fill(all[filled]!);
  });

  /** The errors are in the order of the form. */
  newTicket.addForm((found, after) => {
    const errors = Object.entries(findErrors());
    const isHere = (name: string) => placeOf(name) === after;
    Object.assign(found, Object.fromEntries(errors.filter(([name]) => isHere(name))));
    return { form: toSend() };
  });

  return {
    answers,
    topic,
    /** The fields that are asked for with the topic. */
    asked,
    errors: newTicket.errors,
    choose: (id: string) => write({ topic: id }),
    answer: (id: string, value: Answer) => write({ fields: { ...answers.peek().fields, [id]: value } }),
    agree: (consent: boolean) => write({ consent }),
  };
}

export type AnswersModel = ReturnType<typeof createAnswers>;
