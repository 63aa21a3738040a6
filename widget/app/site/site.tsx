import type { Site } from '../../../bff/contract/site.ts';
import type { SharedProps, SiteParts } from '../shared.ts';
import { replyTime } from './reply-time.ts';
import css from './site.css?inline';

export { css };

/** What the BFF's settings add to the app. `language`: BCP 47. */
export function createSite(site: Site, language: string): SiteParts {
  const { notify } = site.sentences;
  return {
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
