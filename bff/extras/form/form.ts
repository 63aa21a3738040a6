import { createHash } from 'node:crypto';
import type { Consent } from '../../../shared/contract/form.ts';
import { AppError } from '../../core/errors.ts';
import type { TicketHook } from '../../core/use-cases/tickets.ts';
import { leavesRoom } from '../../core/tickets/footer.ts';
import { createAnswerReader } from './answers.ts';
import { detailsOf } from './details.ts';
import type { Form } from './schema.ts';
import { mainLanguage, sentenceIn } from './sentence.ts';

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
      given_at: new Date(now()).toISOString(),
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
