import type { Sentences } from '../i18n/words.ts';
import { Icon } from './Icon.tsx';

interface PreviewProps {
  s: Sentences;
  /** The answer's first words. */
  text: string;
  onOpen: () => void;
  /** This one only. */
  onClose: () => void;
  /** This one and all that would come. */
  onMute: () => void;
}

/** Where nothing is laid out yet, as in a frame that is not in sight: two lines of text. */
const usualHeight = 112;

/**
 * A new answer over the launcher, while the panel is closed. `onHeight` hears its height in CSS pixels, at once and
 * whenever it changes; 0 when it is gone.
 */
export function createPreview(onHeight: (height: number) => void) {
  const observer = new ResizeObserver(([entry]) => onHeight(Math.ceil(entry!.borderBoxSize[0]!.blockSize)));

  function measure(element: HTMLElement | null) {
    observer.disconnect();
    onHeight(element ? element.offsetHeight || usualHeight : 0);
    if (element) observer.observe(element);
  }

  return function Preview({ s, text, onOpen, onClose, onMute }: PreviewProps) {
    return (
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape comes up from its buttons
      <section
        class="preview"
        aria-label={s.support}
        ref={measure}
        onKeyDown={({ key }) => key === 'Escape' && onClose()}
      >
        <button type="button" class="preview-answer" onClick={onOpen}>
          <b>{s.support}</b>
          <span>{text}</span>
        </button>
        <button type="button" class="icon-button" aria-label={s.close} title={s.close} onClick={onClose}>
          <Icon name="close" />
        </button>
        <button type="button" class="preview-mute" onClick={onMute}>
          {s.noPreviews}
        </button>
      </section>
    );
  };
}
