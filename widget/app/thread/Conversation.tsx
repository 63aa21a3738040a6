import { Component } from 'preact';
import { Earlier } from '../later-views.tsx';
import { findLastOwn, Groups, isAnswer } from './messages/Groups.tsx';
import type { ConversationProps } from '../app.ts';
import { Button } from '../ui/Button.tsx';

const nearEndPx = 60;

/**
 * The messages of a ticket. The log runs in reverse for CSS, so the browser itself keeps the newest in sight when a
 * message comes or a keyboard opens, unless the customer has scrolled up to read; and what they read stays in its place
 * when earlier messages come above it.
 */
export class Conversation extends Component<ConversationProps> {
  #log = { current: null as HTMLDivElement | null };
  /**
   * At the last render: the first new answer, the newest answer (undefined: not loaded), the newest message of the
   * customer.
   */
  #firstNew: string | null = null;
  #answer: string | null | undefined;
  #own: string | null | undefined;

  override componentDidMount() {
    this.#own = findLastOwn(this.props.messages, this.props.summary)?.key;
    this.#showNew();
  }

  override componentDidUpdate() {
    const own = findLastOwn(this.props.messages, this.props.summary);
    if (own?.key !== this.#own && own?.state === 'sending') this.#scrollTo(0);
    this.#own = own?.key;
    this.#showNew();
  }

  /** Shows what is new from its start, to a customer who has seen all before it. */
  #showNew() {
    const { isAtEnd, firstNew } = this.props.app;
    const isMoved = firstNew.peek() !== this.#firstNew;
    this.#firstNew = firstNew.peek();
    if (isMoved && isAtEnd.peek()) this.#scrollTo(scrollTopOfNew(this.#log.current!) ?? 0);
    const arrived = this.#firstArrived();
    if (!arrived || !isAtEnd.peek()) return;
    this.#scrollTo(0);
    // Taller than the view: it gets the line above it, too.
    if (topIn(this.#log.current!, arrived.element) < 0) firstNew.value = arrived.id;
  }

  /** The first of the answers that arrived since the last render. */
  #firstArrived() {
    const { messages, ticket } = this.props;
    const last = this.#answer;
    this.#answer = ticket?.read_at ? (messages.findLast(isAnswer)?.id ?? null) : undefined;
    if (last === undefined || this.#answer === last) return null;
    const seen = last === null ? -1 : messages.findIndex(({ id }) => id === last);
    const place = messages.findIndex((message, at) => at > seen && isAnswer(message));
    const element = this.#log.current!.querySelectorAll('.message')[place];
    return element ? { element, id: messages[place]!.id } : null;
  }

  /** `top`: as `scrollTop`, which is zero at the end and negative before it. */
  #scrollTo(top: number) {
    this.#log.current!.scrollTop = top;
    this.#updateIsAtEnd();
  }

  #updateIsAtEnd() {
    this.props.app.isAtEnd.value = -this.#log.current!.scrollTop < nearEndPx;
  }

  /** Scrolls to the start of the unread messages if that is further down, else to the end. */
  #scrollToNewest() {
    const log = this.#log.current!;
    const start = this.props.summary.unread ? scrollTopOfNew(log) : null;
    log.focus();
    this.#scrollTo(start !== null && start > log.scrollTop + 1 ? start : 0);
  }

  override render({ app, messages, summary, ticket }: ConversationProps) {
    const { s, count, isAtEnd, firstNew } = app;
    const lastOwn = findLastOwn(messages, summary);
    return (
      <div class="log-place">
        <div
          ref={this.#log}
          class="log"
          role="log"
          // As a live region it would announce too much, and the times again each minute. Regions outside it announce
          // what is new.
          aria-live="off"
          aria-label={s.conversation}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolling by keyboard needs it in Safari
          tabIndex={0}
          onScroll={() => this.#updateIsAtEnd()}
        >
          <div>
            <Earlier app={app} first={messages[0]!} hasEarlier={ticket?.has_earlier === true} />
            <Groups
              app={app}
              messages={messages}
              summary={summary}
              ticket={ticket}
              firstNew={firstNew.value}
            />
            {app.site?.rating(this.props)}
          </div>
        </div>
        <output class="unseen">{lastOwn && s.states[lastOwn.state]}</output>
        {!isAtEnd.value && (
          <Button
            label={summary.unread ? count(s.unread, summary.unread) : s.newest}
            look="button quiet newest"
            onClick={() => this.#scrollToNewest()}
          />
        )}
      </div>
    );
  }
}

/** The distance of an element from the top of the visible part of the log, in CSS pixels. */
const topIn = (log: Element, element: Element): number =>
  element.getBoundingClientRect().top - log.getBoundingClientRect().top;

/** The `scrollTop` of the log at which its first line is the one above the new messages; null without new messages. */
function scrollTopOfNew(log: Element): number | null {
  const line = log.querySelector('.new');
  return line && log.scrollTop + topIn(log, line.parentElement!);
}
