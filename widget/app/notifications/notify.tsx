import type { Host } from '../host.ts';
import { createTone } from './sound.ts';
import { createNotifications } from './notifications.ts';
import { action, effect } from '@preact/signals';
import type { App, ReturningViews } from '../app.ts';
import { adoptStyles } from '../ui/adopt-styles.ts';
import css from './preview.css?inline';
import { brandOf } from '../ui/View.tsx';
import { createPreview } from './Preview.tsx';

adoptStyles(css);

/** Connects the notifications with the models, the preview and the sound. */
export function createNotify(app: App, host: Pick<Host, 'open' | 'preview'>): Pick<ReturningViews, 'arrive'> {
  const { s, settings, storage, clock, overlay } = app;
  const { tickets, view, isOpen, isVisible, isAtEnd, viewedId, session } = app;
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
          brand={brandOf(app)}
          text={(ticket.preview!.text || app.site?.attachedText(app, ticket.preview!.files)) ?? ''}
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

  // Browsers allow sound only after a click or key press, which may have come before this script was loaded.
  const allowSound = () => void (settings.peek().sound && tone.allow());
  if (navigator.userActivation.hasBeenActive) allowSound();
  for (const type of ['click', 'keydown']) addEventListener(type, allowSound);
  return { arrive: notifications.arrive };
}
