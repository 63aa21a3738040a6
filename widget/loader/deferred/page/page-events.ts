import type { FrameMessage } from '../../../bridge/messages.ts';
import type { EventName } from '../../api.ts';
import { emit } from '../../events.ts';
import type { Frame } from '../../frame.ts';
import type { Core } from '../../deferred.ts';
import type { Said } from './said.ts';
import { readUse, rememberUse } from '../../used.ts';

/** Passes on to the page what the app reports: events, the unread count, and whether there is a conversation. */
export function createPageEvents({ render, frames }: Core, said: Said) {
  /** Every frame reports an answer; only the first one that is ready is passed on. */
  const isReporter = (frame: Frame) =>
    frame === frames.find(({ box }) => box.isConnected && box.className === 'ready');
  let unread = 0;
  return {
    unread: () => unread,
    onMessage(message: FrameMessage, frame: Frame) {
      // Before the event, whose handler may call `prefill`.
      if (message.type === 'event' && message.event.name === 'ticket-created' && said.fields) {
        const { fields: _answers, topic: _topic, ...others } = said.fields;
        said.fields = { ...others, subject: '', description: '' };
      }
      if (message.type === 'event' && (message.event.name !== 'message-received' || isReporter(frame)))
        emit<EventName>(message.event.name, message.event.detail);
      // After `logout`, a session that still exists must not cancel its pending end.
      if (message.type === 'used') {
        // Nothing is stored of a customer who has not opened the widget: an inline app is loaded without them.
        if (message.used ? readUse() !== 'logout' : readUse()) rememberUse(message.used ? '1' : '');
      }
      if (message.type === 'unread' && message.count !== unread) {
        unread = message.count;
        render();
        emit('unread', { count: unread });
      }
    },
  };
}
