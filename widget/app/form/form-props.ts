import type { FieldFault } from '../../../shared/contract/errors.ts';
import { maxAnswerLength, type SiteForm } from '../../../shared/contract/form.ts';
import type { FormSentences } from '../../../shared/contract/site.ts';
import { fill } from '../i18n/words.ts';
import type { AppProps } from '../app.ts';
import type { AnswersModel } from './answers.ts';

/** For views of the operator's form. */
export interface FormProps extends AppProps {
  form: SiteForm;
  sentences: FormSentences;
  model: AnswersModel;
}

/** The error of a text field as a sentence; undefined without an error. */
export const faultText = ({ app: { s } }: AppProps, fault: FieldFault | undefined, label: string) =>
  fault && fill(s.faults[fault], { field: label, max: String(maxAnswerLength) });
