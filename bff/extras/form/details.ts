import type { Consent } from '../../../shared/contract/form.ts';
import { canonical } from '../../core/text/canonical.ts';
import type { ReadAnswers } from './answers.ts';
import type { Form } from './schema.ts';
import { mainLanguage, type Sentence, sentenceIn } from './sentence.ts';

const forAgents = (sentence: Sentence) => sentenceIn(sentence, mainLanguage);

/** How many hex digits of a hash are shown: enough to tell two sentences apart. */
const shownDigits = 16;

/** One line, without control characters that change the direction of text. */
const oneLine = (text: string) => canonical(text.replace(/\p{Bidi_Control}/gu, '')).replace(/\s/gu, ' ');

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
