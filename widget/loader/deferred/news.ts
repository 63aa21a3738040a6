import type { FrameMessage } from '../../bridge/messages.ts';
import type { EventName } from '../api.ts';
import { emit } from '../events.ts';
import type { Frame } from '../frame.ts';
import type { Core } from '../guest.ts';
import { forgetUse, readUse, rememberUse } from '../used.ts';

/** What the app tells the page: events, the number of unread messages, and whether there is a conversation. */
export function createNews(core: Core) {
  const { render, frames } = core;
  /** All frames hear of an answer: one of them tells it. */
  const isSpokesman = (frame: Frame) =>
    frame === frames.find(({ box }) => box.isConnected && box.className === 'ready');
  let unread = 0;
  return {
    unread: () => unread,
    hear(message: FrameMessage, frame: Frame) {
      // Before the page hears of it, and may fill in the next.
      if (message.type === 'event' && message.event.name === 'ticket-created' && core.fields)
        core.fields = { ...core.fields, subject: '', description: '' };
      if (message.type === 'event' && (message.event.name !== 'message-received' || isSpokesman(frame)))
        emit<EventName>(message.event.name, message.event.detail);
      // A session that is to end counts only once it has ended.
      if (message.type === 'used') {
        if (!message.used) forgetUse();
        else if (readUse() !== 'logout') rememberUse('1');
      }
      if (message.type === 'unread' && message.count !== unread) {
        unread = message.count;
        render();
        emit('unread', { count: unread });
      }
    },
  };
}
