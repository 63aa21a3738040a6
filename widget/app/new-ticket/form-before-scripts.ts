import { submittedMark, takenMark } from './submitted-mark.ts';
import { fieldNames } from './new-ticket.ts';
import type { Models } from '../models.ts';
import type { SendingModel } from '../outbox/sending.ts';

/** Takes over what the customer has typed into the prerendered form before this script was loaded. */
export function takeTypedTexts(form: HTMLElement, { newTicket, view }: Pick<Models, 'newTicket' | 'view'>) {
  document.documentElement.dataset[takenMark] = '';
  for (const name of fieldNames) {
    const typed = form.querySelector<HTMLInputElement>(`[name=${name}]`)?.value;
    const known = newTicket.fields.peek()[name];
    if (!typed || typed === known) continue;
    view.keepForm();
    // Begun with the draft of an earlier visit, if that could be read; else added to it.
    if (name === 'description' && !typed.startsWith(known)) newTicket.add([typed]);
    else newTicket.set(name, typed);
  }
}

/** Submits the form if "Send" was pressed before the app was loaded. */
export function submitIfPressed(
  form: HTMLElement,
  { sending }: { sending: Pick<SendingModel, 'submitTicket'> },
) {
  if (submittedMark in document.documentElement.dataset)
    sending.submitTicket(form.querySelector<HTMLInputElement>('[name=website]')?.value);
}
