import type { ComponentChild } from 'preact';
import type { FrameSettings } from '../../bridge/messages.ts';
import type { Host } from '../host.ts';
import { createTone } from './sound.ts';
import type { Clock } from '../browser/clock.ts';
import { createNotifications } from './notifications.ts';
import type { ReadonlySignal, Signal } from '@preact/signals';
import { action, effect } from '@preact/signals';
import type { KnownShared } from '../shared.ts';
import type { Support } from '../support.ts';
import type { Store } from '../browser/storage.ts';
import { adoptStyles } from '../ui/adopt-styles.ts';
import css from './preview.css?inline';
import { brandOf } from '../ui/View.tsx';
import { createPreview } from './Preview.tsx';

adoptStyles(css);

interface NotifyOptions {
  support: Support;
  storage: Store;
  clock: Clock;
  settings: ReadonlySignal<Partial<FrameSettings>>;
  s: KnownShared['s'];
  host: Host;
  /** Rendered in place of the panel. */
  overlay: Signal<ComponentChild>;
}

/** Connects the notifications with the models, the preview and the sound. */
export function createNotify({ support, storage, clock, settings, s, host, overlay }: NotifyOptions) {
  const { tickets, view, isOpen, isVisible, isAtEnd, viewedId, session } = support;
  // SECURITY: the session may be another customer's.
  const find = (ref: string) => (session.isWaiting.value ? undefined : tickets.find(ref));
  const tone = createTone(() => new AudioContext());
  const Preview = createPreview(host.preview);
  let endWatch = () => {};

  const notifications = createNotifications({
    clock,
    storage,
    settings: () => settings.peek(),
    find,
    isOpen: () => isOpen.peek(),
    isSeen: (id) => isOpen.peek() && isVisible.peek() && viewedId.peek() === id,
    play: () => void tone.play(),
    announce(ticket) {
      tickets.arrivedElsewhere.value = ticket;
    },
    show(ticket) {
      endWatch();
      const end = action(() => {
        endWatch();
        overlay.value = null;
        // The panel is rendered again, at the end of its conversation.
        isAtEnd.value = true;
      });
      if (!ticket) return end();
      overlay.value = (
        <Preview
          s={s}
          brand={brandOf({ s, session, settings })}
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
    /** To be called on a click or key press. */
    allowSound: () => void (settings.peek().sound && tone.allow()),
  };
}
