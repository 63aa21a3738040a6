import type { App } from '../app.ts';
import { Icon } from '../ui/Icon.tsx';

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
export function createPreview(onHeight: (height: number) => void) {
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
