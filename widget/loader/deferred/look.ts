import type { Core } from '../deferred.ts';
import { element } from '../dom.ts';

/** The site's words and picture on the launcher. While the panel is open, it has neither. */
export function createLook({ view, settings }: Core): (isOpen: boolean) => void {
  const { launcher } = view;
  launcher.setAttribute('aria-haspopup', 'dialog');
  const words = element('b');
  launcher.append(words);
  const image = element('img', { alt: '', referrerpolicy: 'no-referrer' });
  // Ours is shown until it has come.
  image.addEventListener('load', () => launcher.prepend(image));
  let address = '';

  return (isOpen) => {
    const text = settings.launcherText?.trim() ?? '';
    words.textContent = text;
    if (text && !isOpen) {
      // The bubble is where the text begins.
      launcher.dir = 'auto';
      words.style.setProperty('--words', `${words.scrollWidth}px`);
      if (settings.label === undefined) launcher.setAttribute('aria-label', text);
    }
    const { launcherIcon = '' } = settings;
    if (address === launcherIcon) return;
    address = launcherIcon;
    image.parentNode?.removeChild(image);
    image.src = address;
  };
}
