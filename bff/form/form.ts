import { createHash } from 'node:crypto';
import type { AcceptedForm } from '../contract/accepted.ts';
import type { Consent, FormAnswers } from '../contract/form.ts';
import { AppError } from '../errors.ts';
import { leavesRoom } from '../tickets/footer.ts';
import { createAnswerReader } from './answers.ts';
import { detailsOf } from './details.ts';
import type { Form } from './schema.ts';
import { mainLanguage, sentenceIn } from './sentence.ts';

/** The parts of a ticket that the form depends on. */
interface Written {
  /** In canonical form. */
  description: string;
  /** Tag of the language that the customer saw. */
  language: string | undefined;
}

/** Creates the function that accepts answers to the operator's form. */
export function createForm({ form, now }: { form: Form; now: () => number }) {
  const readAnswers = createAnswerReader(form);

  function consentIn(language: string | undefined): Consent {
    const sentence = sentenceIn(form.consent!.text, language ?? mainLanguage);
    return {
      text_sha256: createHash('sha256').update(sentence).digest('hex'),
      given_at: new Date(now()).toISOString(),
    };
  }

  return {
    /**
     * Answers to the current form must be complete. Answers to another version, such as from a browser that kept a
     * text while the operator changed the form, are kept as far as they fit: no message is lost because of them. A
     * consent to another version does not count for the current sentence.
     * @throws {AppError} `invalid_request`, with the errors by field
     */
    accept(answers: FormAnswers | undefined, { description, language }: Written): AcceptedForm | null {
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

export type FormAnswersReader = ReturnType<typeof createForm>;
