import { Component } from 'preact';
import type { EarlierProps } from '../shared.ts';

interface EarlierState {
  isLoading: boolean;
  hasFailed: boolean;
}

/** Before a redraw. */
interface Snapshot {
  /** The button has the focus. */
  hadFocus: boolean;
  /** Of the log. */
  scrollTop: number;
}

/**
 * The top of a log, whose earlier messages come by pages: when the customer presses for them, when they scroll near,
 * and with the Home key until the first message is there.
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
      // The customer has gone somewhere else meanwhile.
      if (!this.#isNear()) this.#isGoingHome = false;
      this.#goOn();
    });
    log.addEventListener('keydown', (event) => {
      if (event.key !== 'Home' || event.altKey || event.metaKey || event.shiftKey) return;
      // The browser's own way ends at what is here.
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
    // From the end, so what is read stays in its place; the browser would keep what is above it there.
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
