import type { FrameMessage } from '../../../bridge/messages.ts';
import type { Core } from '../../deferred.ts';

/** Shows the panel wider and higher while the customer wants it so; ../styles.css has the size. */
export function createWidth(core: Core) {
  const { root, dialog } = core.view;
  let isWide = false;
  const size = () => {
    const { width, height } = getComputedStyle(dialog);
    return { width, height };
  };
  return {
    onMessage(message: FrameMessage) {
      if (message.type !== 'wide' || message.wide === isWide) return;
      isWide = message.wide;
      const before = size();
      core.render();
      if (!matchMedia('(prefers-reduced-motion: reduce)').matches)
        dialog.animate([before, size()], { duration: 200, easing: 'ease-out' });
    },
    render: () => void root.classList.toggle('wide', isWide),
  };
}
