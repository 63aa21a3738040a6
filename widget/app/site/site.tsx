import type { Site } from '../../../bff/contract/site.ts';
import type { NewTicketModel } from '../new-ticket/new-ticket.ts';
import type { FormParts, SharedProps, SiteParts } from '../shared.ts';
import { adoptStyles } from '../ui/adopt-styles.ts';
import { replyTime } from './reply-time.ts';
import css from './site.css?inline';

/** What the document's block says, with what it takes to draw that. Without its script there is no form of the operator. */
export async function loadSite(
  block: string,
  language: string,
  newTicket: NewTicketModel,
): Promise<SiteParts> {
  adoptStyles(css);
  const site = JSON.parse(block) as Site;
  const { form } = site;
  const parts =
    form &&
    (await import('../form/form.ts').then(
      ({ startForm }) => startForm(form, site.sentences.form!, newTicket),
      () => null,
    ));
  return createSite(site, language, parts ?? null);
}

/** What the BFF's settings add to the app. `language`: BCP 47. */
export function createSite(site: Site, language: string, form: FormParts | null = null): SiteParts {
  const { notify } = site.sentences;
  return {
    ...form,
    replyTime: (now) => replyTime(site, language, now),
    /** The customer agrees to a mail when an answer waits. */
    NotifyField: notify
      ? ({ app: { newTicket } }: SharedProps) => (
          <label class="check">
            <input
              type="checkbox"
              checked={newTicket.fields.value.notify !== ''}
              onChange={(event) => newTicket.set('notify', event.currentTarget.checked ? 'on' : '')}
            />
            {notify}
          </label>
        )
      : null,
  };
}
