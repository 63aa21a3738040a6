import type { SiteRatings } from '../../../shared/contract/site.ts';
import type { ConversationProps } from '../app.ts';
import { adoptStyles } from '../browser/page.ts';
import { createRatingModel, type RatingModel } from './model.ts';
import css from './ratings.css?inline';
import { Component } from 'preact';
import { maxRatingWord, type Score, scores } from '../../../shared/contract/ratings.ts';
import { refOf } from '../ticket-list/names.ts';
import { Counter, submitOnSendKey } from '../ui/Field.tsx';

/**
 * Makes what is drawn below a conversation: the card below an answer of support; nothing for any other conversation.
 * `isLate`: its messages have been on screen without it.
 */
export function createRatings({ sentences }: SiteRatings) {
  adoptStyles(css);
  const model = createRatingModel();
  return (conversation: ConversationProps, isLate: boolean) => {
    const last = conversation.messages.at(-1);
    const { summary, ticket } = conversation;
    if (last?.author_type !== 'agent' || !last.id || summary.closed || ticket?.closed) return null;
    // A new element for each answer.
    const own = { model, sentences, answer: last.id, isLate };
    return <Rating key={last.id} {...conversation} {...own} />;
  };
}

/** Statuses of a ticket that support has ended: the customer is not asked whether it is solved. */
const endStatuses = new Set(['solved', 'closed']);

interface RatingProps extends ConversationProps {
  model: RatingModel;
  sentences: SiteRatings['sentences'];
  /** Id of the answer that the customer is asked about. */
  answer: string;
  /** The answer was on screen before this. */
  isLate: boolean;
}

interface State {
  solved?: boolean;
  score?: Score;
  word: string;
  step: 'open' | 'sending' | 'failed' | 'sent';
  /** Announced to screen readers. */
  said: string;
}

/**
 * Asks whether the answer solved it, and for a rating. It keeps its room while the customer writes a reply, and comes
 * below what they read.
 */
class Rating extends Component<RatingProps, State> {
  override state: State = { word: '', step: 'open', said: '' };
  #card = { current: null as HTMLDivElement | null };
  #isShown = false;
  /** Whether support had ended the ticket when the card came. */
  #isOver = false;

  override componentDidMount() {
    if (this.#card.current) this.#onShown(this.props.isLate);
  }

  override componentDidUpdate(_: RatingProps, { solved, score, step }: State) {
    if (this.#card.current && !this.#isShown) this.#onShown(true);
    // What a press adds comes below it, where nothing is seen if the log was not at its end.
    if (solved !== this.state.solved || score !== this.state.score)
      this.#card.current!.closest('.log')!.scrollTop = 0;
    // The focused button was removed.
    if (step !== 'sent' && this.state.step === 'sent') this.#card.current?.querySelector('p')?.focus();
  }

  #onShown(isLate: boolean) {
    const card = this.#card.current!;
    const log = card.closest('.log');
    this.#isShown = true;
    // At its end the log would move up what the customer reads. Anywhere else the browser keeps that in its place.
    if (isLate && log && log.scrollTop > -1) log.scrollTop = -card.offsetHeight;
    const { ask, rate } = this.props.sentences;
    this.setState({ said: this.#isOver ? rate : ask });
  }

  #say(more: Pick<State, 'solved'> = {}) {
    const { app, model, summary, answer } = this.props;
    const { solved, score, word } = { ...this.state, ...more };
    return model.say(app.api, summary.id!, answer, {
      ...(solved !== undefined && { solved }),
      ...(score && { score, word }),
    });
  }

  #answer(solved: boolean) {
    const { rate, goOn } = this.props.sentences;
    this.setState({ solved, said: solved ? rate : goOn });
    void this.#say({ solved });
  }

  async #send() {
    if (!this.state.score || this.state.step === 'sending' || this.state.word.length > maxRatingWord) return;
    this.setState({ step: 'sending' });
    const isSent = await this.#say();
    this.setState({ step: isSent ? 'sent' : 'failed', said: isSent ? '' : this.props.app.s.states.rejected });
  }

  #question({ sentences }: RatingProps, { solved }: State) {
    const button = (value: boolean, text: string) => (
      <button
        type="button"
        class="button quiet"
        aria-pressed={solved === value}
        onClick={() => this.#answer(value)}
      >
        {text}
      </button>
    );
    return (
      <fieldset aria-label={sentences.ask}>
        <p>{sentences.ask}</p>
        {button(true, sentences.yes)}
        {button(false, sentences.notYet)}
      </fieldset>
    );
  }

  #form({ app, sentences }: RatingProps, { score, word, step }: State) {
    const left = maxRatingWord - word.length;
    return (
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void this.#send();
        }}
      >
        <fieldset>
          <legend>{sentences.rate}</legend>
          {scores.map((value) => (
            <label key={value} title={sentences.scores[value]}>
              <input
                type="radio"
                name="rating-score"
                aria-label={sentences.scores[value]}
                checked={score === value}
                onChange={() => this.setState({ score: value })}
              />
              <Face score={value} />
            </label>
          ))}
        </fieldset>
        {score && (
          <>
            <p class="hint" aria-hidden="true">
              {sentences.scores[score]}
            </p>
            <label for="rating-word">{sentences.word}</label>
            <textarea
              id="rating-word"
              rows={2}
              autoComplete="off"
              dir="auto"
              value={word}
              aria-describedby="rating-count"
              onInput={(event) => this.setState({ word: event.currentTarget.value })}
              onKeyDown={submitOnSendKey}
            />
            <Counter app={app} id="rating-count" left={left} max={maxRatingWord} />
            {step === 'failed' && <p class="error">{app.s.states.rejected}</p>}
            <button type="submit" class="button quiet" aria-disabled={step === 'sending' || left < 0}>
              {app.s.send}
            </button>
          </>
        )}
      </form>
    );
  }

  override render(props: RatingProps, state: State) {
    const { app, model, sentences, summary, ticket, answer } = props;
    const { solved, score, step, said } = state;
    const isTouched = solved !== undefined || score !== undefined;
    const isWriting = app.drafts.reply(refOf(summary)).value.trim() !== '';
    const isAsked = isTouched || (ticket !== undefined && model.isAsked(ticket, answer));
    if (!isAsked || (isWriting && !this.#isShown)) return null;
    if (!this.#isShown) this.#isOver = endStatuses.has(summary.status);
    return (
      <div ref={this.#card} class={isWriting ? 'rating waits' : 'rating'}>
        {step === 'sent' ? (
          <p tabIndex={-1}>{sentences.thanks}</p>
        ) : (
          <>
            {!this.#isOver && this.#question(props, state)}
            {solved === false && <p class="hint">{sentences.goOn}</p>}
            {(solved || this.#isOver) && this.#form(props, state)}
          </>
        )}
        <output class="unseen">{said}</output>
      </div>
    );
  }
}

/** Brows, if any, and mouth. */
const shapes: Record<Score, string> = {
  1: 'M7.5 8l2.5 1M16.5 8l-2.5 1M8 17q4-4 8 0',
  2: 'M8.5 16.5q3.5-2.5 7 0',
  3: 'M8.5 15.5h7',
  4: 'M8.5 14.5q3.5 3 7 0',
  5: 'M7.5 13.5h9q-.5 4.5-4.5 4.5t-4.5-4.5z',
};

/** A decorative face: use it beside its name. */
function Face({ score }: { score: Score }) {
  const eyes = score === 1 ? 11 : 10;
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <circle cx="12" cy="12" r="10" />
      <path d={`M9 ${eyes}v.5M15 ${eyes}v.5${shapes[score]}`} />
    </svg>
  );
}
