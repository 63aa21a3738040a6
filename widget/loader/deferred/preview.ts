import type { FrameMessage } from '../../bridge/messages.ts';
import type { Core } from '../guest.ts';

const MAX_HEIGHT_PX = 360;

/** A new answer while the panel is closed: the frame itself, as a small box over the launcher. */
export function createPreview(core: Core) {
  const { root, dialog } = core.view;
  let height = 0;
  return {
    hear(message: FrameMessage) {
      if (message.type === 'open') core.commands.open();
      if (message.type !== 'preview' || message.height === height) return;
      height = Math.min(message.height, MAX_HEIGHT_PX);
      core.render();
    },
    render(isOpen: boolean) {
      if (isOpen || core.isHidden || dialog.className !== 'ready') height = 0;
      root.classList.toggle('preview', !!height);
      dialog.style.setProperty('--preview', `${height}px`);
      // Nobody has opened a dialog.
      if (height) dialog.setAttribute('role', 'region');
      else dialog.removeAttribute('role');
    },
  };
}
