import { createHash } from 'node:crypto';
import type { AcceptedForm } from '../contract/accepted.ts';
import type { Consent, FormAnswers } from '../contract/form.ts';
import { AppError } from '../errors.ts';
import { leavesRoom } from '../tickets/footer.ts';
import { createAnswerReader } from './answers.ts';
import { detailsOf } from './details.ts';
import type { Form } from './schema.ts';
import { mainLanguage, sentenceIn } from './sentence.ts';

/** What of a ticket bears on its form. */
interface Written {
  /** In canonical form. */
  description: string;
  /** Tag of the language that the customer saw. */
  language: string | undefined;
}

/** Makes a function that takes the answers to the operator's form. */
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
     * Answers to this form must be whole. Of answers to another one, as of a text that waited in a browser while the
     * operator changed the form, what fits is kept, and nothing is demanded: no message is lost for them. Consent to
     * another form is none to this one's sentence.
     * @throws {AppError} `invalid_request`, with the errors by field
     */
    accept(answers: FormAnswers | undefined, { description, language }: Written): AcceptedForm | null {
      if (!answers) return null;
      const read = readAnswers(answers);
      const isCurrent = answers.version === form.version;
      if (isCurrent && Object.keys(read.faults).length > 0)
        throw new AppError('invalid_request', { fields: read.faults });
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
