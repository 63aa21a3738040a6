/** @jsxImportSource hono/jsx */
import type { SavedAnswer } from '../../../tickets/saved-answers.ts';
import { sentences } from '../../sentences/sentences.ts';

const texts = sentences.ticket.saved;

interface Props {
  answers: SavedAnswer[];
  action: (name: string) => string;
}

/** A choice that a button inserts, and for the script one button that opens the list. */
export function InsertSaved({ answers, action }: Props) {
  return (
    <div class="saved">
      <button class="quiet" type="button" id="open-saved" hidden>
        {texts.title}
      </button>
      {answers.length === 0 ? null : (
        <div class="line" id="saved-plain">
          <label class="unseen" htmlFor="saved">
            {texts.title}
          </label>
          <select id="saved" name="saved" autocomplete="off">
            <option value="">{texts.title}</option>
            {answers.map(({ id, name }) => (
              <option value={id}>{name}</option>
            ))}
          </select>
          <button class="plain" type="submit" formAction={action('insert')}>
            {texts.insert}
          </button>
        </div>
      )}
    </div>
  );
}

/** The script's list, outside the ticket's form. `source`: where it gets the answers from. */
export function SavedAnswersDialog({ source }: { source: string }) {
  return (
    <dialog class="dialog" id="saved-dialog" aria-label={texts.title} data-source={source}>
      <form class="stack" method="dialog">
        <div class="line">
          <label htmlFor="saved-filter">{texts.filter}</label>
          <input
            id="saved-filter"
            type="search"
            role="combobox"
            aria-expanded="true"
            aria-autocomplete="list"
            aria-controls="saved-list"
            autocomplete="off"
            autofocus
          />
        </div>
        <ul class="choices" id="saved-list" aria-label={texts.title} />
        <output class="hint" id="saved-state" />
        <p class="buttons">
          <button class="plain" type="submit">
            {sentences.close}
          </button>
          <a href="/desk/saved-answers">{texts.edit}</a>
        </p>
      </form>
    </dialog>
  );
}
