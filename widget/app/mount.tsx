import { Component, render } from 'preact';
import { Panel } from './Panel.tsx';
import { inInputMethod } from './ui/Field.tsx';
import { keepFocus } from './ui/focus.ts';
import { renderTextsByElements } from './ui/text-elements.ts';
import type { App, AppProps } from './app.ts';

/** Renders the app into `root`, and moves the focus after each navigation. */
export function mount(root: HTMLElement, app: App) {
  renderTextsByElements();
  addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && event.keyCode !== inInputMethod && !event.defaultPrevented) app.close?.();
  });
  const { follow } = keepFocus(root, app);
  render(
    <>
      <Panel app={app} />
      <Moves app={app} onMove={follow} />
    </>,
    root,
  );
}

interface MovesProps extends AppProps {
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
