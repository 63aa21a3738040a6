import type { FrameMessage } from '../../../bridge/messages.ts';
import type { Core } from '../../deferred.ts';

const MAX_HEIGHT_PX = 360;

/** Shows the frame of the closed panel as a small box over the launcher, when the app previews a new answer. */
export function createPreview(core: Core) {
  const { root, dialog } = core.view;
  let height = 0;
  return {
    onMessage(message: FrameMessage) {
      if (message.type === 'open') core.commands.open();
      if (message.type !== 'preview' || message.height === height) return;
      height = Math.min(message.height, MAX_HEIGHT_PX);
      core.render();
    },
    render(isOpen: boolean) {
      if (isOpen || core.isHidden || dialog.className !== 'ready') height = 0;
      root.classList.toggle('preview', !!height);
      dialog.style.setProperty('--preview', `${height}px`);
      // The customer has not opened a dialog, and the frame has the landmark.
      if (height) dialog.setAttribute('role', 'group');
      else dialog.removeAttribute('role');
    },
  };
}
