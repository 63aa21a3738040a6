import { Component } from 'preact';
import type { AppProps } from '../app.ts';
import type { ShownMessage } from '../outbox/sends.ts';

interface EarlierProps extends AppProps {
  hasEarlier: boolean;
  /** The oldest message that is loaded. */
  first: ShownMessage;
}

interface EarlierState {
  isLoading: boolean;
  hasFailed: boolean;
}

/** The state of the log before a redraw. */
interface Snapshot {
  /** Whether the button has the focus. */
  hadFocus: boolean;
  /** The `scrollTop` of the log. */
  scrollTop: number;
}

/**
 * The top of a log, whose earlier messages are loaded by pages: when the customer presses for them, when they scroll
 * near, and with the Home key until the first message is loaded.
 */
export class Earlier extends Component<EarlierProps, EarlierState> {
  override state = { isLoading: false, hasFailed: false };
  #place = { current: null as HTMLDivElement | null };
  #isGoingHome = false;

  get #log() {
    return this.#place.current!.closest<HTMLElement>('.log')!;
  }

  override componentDidMount() {
    const log = this.#log;
    log.addEventListener('scroll', () => {
      // The customer has scrolled away from the top.
      if (!this.#isNear()) this.#isGoingHome = false;
      this.#goOn();
    });
    log.addEventListener('keydown', (event) => {
      if (event.key !== 'Home' || event.altKey || event.metaKey || event.shiftKey) return;
      // The browser itself would scroll only to the first message that is loaded.
      event.preventDefault();
      this.#isGoingHome = true;
      this.setState({ hasFailed: false });
      this.#goOn();
    });
    this.#goOn();
  }

  override getSnapshotBeforeUpdate(): Snapshot {
    return {
      hadFocus: this.#place.current!.contains(document.activeElement),
      scrollTop: this.#log.scrollTop,
    };
  }

  override componentDidUpdate(last: EarlierProps, _state: EarlierState, { hadFocus, scrollTop }: Snapshot) {
    const { first, hasEarlier } = this.props;
    // It counts from the end of the log, so that the messages on screen stay in their place.
    if (first !== last.first) this.#log.scrollTop = scrollTop;
    if (hadFocus && !hasEarlier) this.#log.focus();
    this.#goOn();
  }

  /** Less than a screen from the top. */
  #isNear() {
    const { scrollHeight, clientHeight, scrollTop } = this.#log;
    return scrollHeight - clientHeight + scrollTop < clientHeight;
  }

  #goOn() {
    const { isLoading, hasFailed } = this.state;
    if (this.#isGoingHome) this.#log.scrollTop = -this.#log.scrollHeight;
    if (!this.props.hasEarlier) this.#isGoingHome = false;
    else if (!isLoading && !hasFailed && this.#isNear()) void this.#load();
  }

  async #load() {
    this.setState({ isLoading: true, hasFailed: false });
    const isHere = await this.props.app.loadEarlier();
    if (!isHere) this.#isGoingHome = false;
    this.setState({ isLoading: false, hasFailed: !isHere });
  }

  override render({ app: { s }, hasEarlier }: EarlierProps, { isLoading, hasFailed }: EarlierState) {
    return (
      <div ref={this.#place} class="earlier">
        {hasEarlier && hasFailed && <p role="alert">{s.loadFailed}</p>}
        {hasEarlier && (
          <button
            type="button"
            class="button quiet"
            aria-disabled={isLoading}
            onClick={() => {
              if (!isLoading) void this.#load();
            }}
          >
            {isLoading ? s.loading : s.earlier}
          </button>
        )}
      </div>
    );
  }
}
