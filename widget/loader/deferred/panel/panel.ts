import type { FrameMessage } from '../../../bridge/messages.ts';
import type { Core } from '../../deferred.ts';
import type { Frame } from '../../frame.ts';

/** The frame's iframe; null until loading has begun. */
export const iframeOf = ({ box }: Frame): HTMLIFrameElement | null => box.querySelector('iframe');

/** Notifies the app that its panel is open, again after each load; returns the focus when the panel closes. */
export function createPanel(core: Core) {
  const { root, shadow, launcher } = core.view;
  const panel = core.frames[0]!;
  let wasOpen = false;
  // What is dropped on the frame, the frame refuses itself.
  for (const type of ['dragover', 'drop'])
    root.addEventListener(type, (event) => {
      event.preventDefault();
      if (type === 'dragover') return;
      core.commands.open();
      panel.send({ type: 'dropped' });
    });
  return {
    onMessage({ type }: FrameMessage, frame: Frame) {
      if (frame !== panel || type !== 'ready') return;
      core.render();
      if (!root.classList.contains('open')) return;
      // Not where the frame has it already: the field that the customer is writing in would lose it.
      if (shadow.activeElement === frame.box) panel.focus();
      panel.send({ type: 'open' });
    },
    /** Called before the panel is drawn; returns what is to do when it has been. */
    render(isOpen: boolean): () => void {
      // Read first: drawing the panel closed removes its focus.
      const isLeft = wasOpen && !isOpen && shadow.activeElement;
      wasOpen = isOpen;
      return () => {
        if (!isLeft) return;
        // If the opener cannot take the focus (the body, or removed), it stays on the launcher.
        launcher.focus();
        core.opener?.focus({ preventScroll: true });
      };
    },
  };
}
