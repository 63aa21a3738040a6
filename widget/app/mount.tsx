import { Component, render } from 'preact';
import { App } from './App.tsx';
import { keepFocus } from './ui/focus.ts';
import { renderTextsByElements } from './ui/text-elements.ts';
import type { Shared, SharedProps } from './shared.ts';

/** Renders the app into `root`, and moves the focus after each navigation. */
export function mount(root: HTMLElement, app: Shared) {
  renderTextsByElements();
  addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.isComposing && !event.defaultPrevented) app.close?.();
  });
  const { follow } = keepFocus(root, app);
  render(
    <>
      <App app={app} />
      <Moves app={app} onMove={follow} />
    </>,
    root,
  );
}

interface MovesProps extends SharedProps {
  onMove: () => void;
}

/** Calls `onMove` after each navigation, once it is rendered. */
class Moves extends Component<MovesProps> {
  override componentDidMount() {
    // Components after this one are rendered in the same microtask.
    queueMicrotask(this.props.onMove);
  }

  override componentDidUpdate() {
    this.componentDidMount();
  }

  override render({ app: { view, isOpen } }: MovesProps) {
    void [isOpen.value, view.moves.value];
    return null;
  }
}
