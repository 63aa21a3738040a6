import { render } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { App } from './App.tsx';
import { keepFocus } from './ui/focus.ts';
import type { Shared, SharedProps } from './shared.ts';

/** Renders the app into `root`, and moves the focus after each navigation. */
export function mount(root: HTMLElement, app: Shared) {
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

/** Calls `onMove` after each navigation, once it is rendered. */
function Moves({ app: { view, isOpen }, onMove }: SharedProps & { onMove: () => void }) {
  // Components that are rendered after this one are done in the same microtask.
  useLayoutEffect(() => queueMicrotask(onMove), [isOpen.value, view.moves.value]);
  return null;
}
