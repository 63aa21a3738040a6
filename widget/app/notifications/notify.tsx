import type { Host } from '../host.ts';
import { createTone } from './sound.ts';
import { createNotifications } from './notifications.ts';
import { action, effect } from '@preact/signals';
import type { App, ReturningViews } from '../app.ts';
import { adoptStyles } from '../browser/page.ts';
import css from './preview.css?inline';
import { brandOf } from '../ui/View.tsx';
import { shapes } from '../ui/Icon.tsx';
import { Button, IconButton } from '../ui/Button.tsx';

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

interface PreviewProps {
  s: App['s'];
  /** Whose support it is. */
  brand: string;
  /** The answer's first words. */
  text: string;
  onOpen: () => void;
  /** Closes this preview. */
  onClose: () => void;
  /** Closes this preview and turns off all others. */
  onMute: () => void;
}

/** CSS pixels for two lines of text, used while the frame is hidden and has no layout. */
const usualHeight = 112;

/**
 * The preview of a new answer over the launcher. `onHeight` gets its height in CSS pixels, at first and at each change; 0
 * when it is removed.
 */
function createPreview(onHeight: (height: number) => void) {
  const observer = new ResizeObserver(([entry]) => onHeight(Math.ceil(entry!.borderBoxSize[0]!.blockSize)));

  function measure(element: HTMLElement | null) {
    observer.disconnect();
    onHeight(element ? element.offsetHeight || usualHeight : 0);
    if (element) observer.observe(element);
  }

  return function Preview({ s, brand, text, onOpen, onClose, onMute }: PreviewProps) {
    return (
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape bubbles from its buttons
      <section
        class="preview"
        aria-label={brand}
        ref={measure}
        onKeyDown={({ key }) => key === 'Escape' && onClose()}
      >
        <button type="button" class="preview-answer" onClick={onOpen}>
          <b>{brand}</b>
          <span>{text}</span>
        </button>
        <IconButton label={s.close} icon={shapes.close} onClick={onClose} />
        <Button label={s.noPreviews} look="preview-mute" onClick={onMute} />
      </section>
    );
  };
}
