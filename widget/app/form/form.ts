import type { SiteForm } from '../../../shared/contract/form.ts';
import type { FormSentences } from '../../../shared/contract/site.ts';
import type { NewTicketModel } from '../new-ticket/new-ticket.ts';
import type { FormViews } from '../app.ts';
import { adoptStyles } from '../ui/adopt-styles.ts';
import { createAnswers } from './answers.ts';
import css from './form.css?inline';
import { formViews } from './form-views.tsx';

/** The operator's form, joined to the form of a new ticket. */
export function startForm(form: SiteForm, sentences: FormSentences, newTicket: NewTicketModel): FormViews {
  adoptStyles(css);
  return formViews({ form, sentences, model: createAnswers(form, newTicket) });
}
