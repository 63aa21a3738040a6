import { Component, type ComponentChild } from 'preact';

/**
 * - `removed`: its address answers that it is gone.
 * - `failed`: it may come at the next attempt.
 */
type PictureState = 'loading' | 'shown' | 'failed' | 'removed';

interface LoadingProps {
  url: string;
  name: string;
  isLazy?: boolean;
  /** Draws what is around the picture. `image`: null where it cannot be shown. */
  children: (image: ComponentChild, state: PictureState, again: () => void) => ComponentChild;
}

/** Whether the address says that it has nothing any more. Not known where another origin lets nobody ask. */
async function isGone(url: string): Promise<boolean> {
  try {
    const { status } = await fetch(url, { method: 'HEAD', cache: 'no-store', credentials: 'omit' });
    return status === 404 || status === 410;
  } catch {
    return false;
  }
}

/** A picture, and why it is not there. */
export class Loading extends Component<LoadingProps, { state: PictureState; attempt: number }> {
  override state = { state: 'loading' as PictureState, attempt: 0 };

  async #onError() {
    const { attempt } = this.state;
    const isRemoved = await isGone(this.props.url);
    if (attempt === this.state.attempt) this.setState({ state: isRemoved ? 'removed' : 'failed' });
  }

  override render({ url, name, isLazy, children }: LoadingProps, { state, attempt }: typeof this.state) {
    const image = (state === 'loading' || state === 'shown') && (
      <img
        // A new element for a new attempt.
        key={attempt}
        src={url}
        alt={name}
        class={state}
        loading={isLazy ? 'lazy' : 'eager'}
        decoding="async"
        draggable={false}
        referrerPolicy="no-referrer"
        onLoad={() => this.setState({ state: 'shown' })}
        onError={() => void this.#onError()}
      />
    );
    return children(image, state, () => this.setState({ state: 'loading', attempt: attempt + 1 }));
  }
}
