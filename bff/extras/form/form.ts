import { createHash } from 'node:crypto';
import type { Consent, FormField, SiteForm } from '../../../shared/contract/form.ts';
import { isoTime } from '../../core/clock.ts';
import { AppError } from '../../core/errors.ts';
import { oneLine } from '../../core/text/canonical.ts';
import { leavesRoom } from '../../core/tickets/footer.ts';
import type { TicketHook } from '../../core/use-cases/tickets.ts';
import { createAnswerReader, type ReadAnswers } from './answers.ts';
import { mainLanguage, type Sentence, sentenceIn } from '../../core/text/sentence.ts';
import type { Form } from './form-file.ts';

/*
 * What customers see of the form, and what a ticket gets from their answers. `answers.ts` decides whether an answer is
 * valid.
 */

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

const forAgents = (sentence: Sentence) => sentenceIn(sentence, mainLanguage);

/** How many hex digits of a hash are shown: enough to tell two sentences apart. */
const shownDigits = 16;

/** The answers as lines for agents: `Label: value`. */
export function detailsOf(
  { topicLabel = 'Topic' }: Pick<Form, 'topicLabel'>,
  { topic, values }: Pick<ReadAnswers, 'topic' | 'values'>,
  consent: Consent | undefined,
): string[] {
  const named = (label: Sentence, value: string) => oneLine(`${forAgents(label)}: ${value}`);
  return [
    ...(topic ? [named(topicLabel, forAgents(topic.label))] : []),
    ...values.map(([field, value]) => {
      if (field.type === 'checkbox') return named(field.label, 'yes');
      const option = field.type === 'choice' && field.options.find(({ id }) => id === value);
      return named(field.label, option ? forAgents(option.label) : String(value));
    }),
    ...(consent
      ? [`Consent: ${consent.text_sha256.slice(0, shownDigits)} at ${consent.given_at.slice(0, 16)}Z`]
      : []),
  ];
}

/** Creates the function that accepts answers to the operator's form. */
export function createForm({
  form,
  now,
}: {
  form: Form;
  now: () => number;
}): Required<Pick<TicketHook, 'acceptForm'>> {
  const readAnswers = createAnswerReader(form);

  function consentIn(language: string | undefined): Consent {
    const sentence = sentenceIn(form.consent!.text, language ?? mainLanguage);
    return {
      text_sha256: createHash('sha256').update(sentence).digest('hex'),
      given_at: isoTime(now()),
    };
  }

  return {
    /**
     * Answers to the current form must be complete. Answers to another version, such as from a browser that kept a
     * text while the operator changed the form, are kept as far as they fit: no message is lost because of them. A
     * consent to another version does not count for the current sentence.
     */
    acceptForm(answers, { description, language }) {
      if (!answers) return null;
      const read = readAnswers(answers);
      const isCurrent = answers.version === form.version;
      if (isCurrent && Object.keys(read.errors).length > 0)
        throw new AppError('invalid_request', { fields: read.errors });
      const consent = isCurrent && read.isAgreed ? consentIn(language) : undefined;
      const details = detailsOf(form, read, consent);
      const hasRoom = leavesRoom(description, details);
      if (isCurrent && !hasRoom)
        throw new AppError('invalid_request', { fields: { description: 'too_long' } });
      return {
        details: hasRoom ? details : [],
        ...(read.topic?.priority && { priority: read.topic.priority }),
        ...(consent && { consent }),
      };
    },
  };
}
