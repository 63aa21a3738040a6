import type { FieldFault } from '../../../bff/contract/errors.ts';
import { maxAnswerLength, type SiteForm } from '../../../bff/contract/form.ts';
import type { FormSentences } from '../../../bff/contract/site.ts';
import { fill } from '../i18n/words.ts';
import type { SharedProps } from '../shared.ts';
import type { AnswersModel } from './answers.ts';

/** For views of the operator's form. */
export interface FormProps extends SharedProps {
  form: SiteForm;
  sentences: FormSentences;
  model: AnswersModel;
}

/** The error of a text field as a sentence; undefined without an error. */
export const faultText = ({ app: { s } }: SharedProps, fault: FieldFault | undefined, label: string) =>
  fault && fill(s.faults[fault], { field: label, max: String(maxAnswerLength) });
