import type { ComponentChild } from 'preact';
import type { FrameSettings } from '../bridge/messages.ts';
import type { Host } from './host.ts';
import type { Sentences } from './i18n/words.ts';
import { createTone } from './sound.ts';
import type { Clock } from './state/clock.ts';
import { createNotifications } from './state/notifications.ts';
import type { ReadonlySignal, Signal } from './state/signal.ts';
import { effect } from './state/signal.ts';
import type { Support } from './state/support.ts';
import type { Store } from './storage.ts';
import { createPreview } from './ui/Preview.tsx';

interface NotifyOptions {
  support: Support;
  storage: Store;
  clock: Clock;
  settings: ReadonlySignal<Partial<FrameSettings>>;
  s: Sentences;
  host: Host;
  /** What is drawn in place of the panel. */
  overlay: Signal<ComponentChild>;
}

/** Joins the models to what tells of a new answer outside the panel. */
export function createNotify({ support, storage, clock, settings, s, host, overlay }: NotifyOptions) {
  const { tickets, view, isOpen, isVisible, isAtEnd, viewedId, customer } = support;
  // SECURITY: what is here may be somebody else's.
  const find = (ref: string) => (customer.identity.isWaiting.value ? undefined : tickets.find(ref));
  const tone = createTone(() => new AudioContext());
  const Preview = createPreview(host.preview);
  let endWatch = () => {};

  const notifications = createNotifications({
    clock,
    storage,
    settings: settings.peek,
    find,
    isOpen: isOpen.peek,
    isSeen: (id) => isOpen.peek() && isVisible.peek() && viewedId.peek() === id,
    play: () => void tone.play(),
    announce(ticket) {
      tickets.arrivedElsewhere.value = ticket;
    },
    show(ticket) {
      endWatch();
      const end = () => {
        endWatch();
        overlay.value = null;
        // The panel is drawn anew, from the end of its conversation.
        isAtEnd.value = true;
      };
      if (!ticket) return end();
      overlay.value = (
        <Preview
          s={s}
          text={ticket.preview!.text}
          onClose={end}
          onMute={notifications.mute}
          onOpen={() => {
            view.go({ name: 'thread', ref: ticket.id! });
            host.open();
          }}
        />
      );
      endWatch = effect(() => {
        if (isOpen.value || !find(ticket.id!)?.unread) end();
      });
    },
  });

  return {
    arrive: notifications.arrive,
    /** To be called as the customer acts. */
    allowSound: () => void (settings.peek().sound && tone.allow()),
  };
}
