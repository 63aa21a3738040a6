import type { FrameMessage } from '../../../bridge/messages.ts';
import type { Core } from '../../deferred.ts';
import type { Frame } from '../../frame.ts';

/**
 * Draws nothing of panel and launcher while the app takes a screenshot of the page. They keep their state and the focus;
 * ../styles.css makes them transparent, since browsers stop the scripts of a frame that is hidden. Whatever renders them
 * anew shows them again.
 */
export const createAway =
  ({ view }: Core) =>
  (message: FrameMessage, frame: Frame) => {
    if (message.type !== 'away') return;
    view.root.classList.toggle('away', message.away);
    // The second frame begins once the first has been drawn.
    requestAnimationFrame(() => requestAnimationFrame(() => frame.send({ type: 'away' })));
  };
