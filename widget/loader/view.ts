import { inkOn } from './contrast.ts';
import { element } from './dom.ts';
import type { Settings } from './settings.ts';
import css from './styles.css?inline';
import { words } from './words.ts';

export interface View {
  shadow: ShadowRoot;
  launcher: HTMLButtonElement;
  render: (settings: Settings, isOpen: boolean, unread: number) => void;
}

const bubble = 'M5 16a9 8 0 1 1 4 3l-5 1ZM8 10h8M8 13h5';
const cross = 'm6 6 12 12M18 6 6 18';

/** All that the host page sees: dialog and launcher in a shadow tree that its styles do not reach. */
export function createView(dialog: HTMLElement, signal: AbortSignal): View {
  const drawing = element('path');
  const svg = element('svg', { viewBox: '0 0 24 24' }, drawing);
  const badge = element('span');
  const launcher = element('button', { 'aria-haspopup': 'dialog' }, svg, badge);
  const root = element('div', {}, dialog, launcher);
  const host = element('deskside-root' as 'div');
  const shadow = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  shadow.adoptedStyleSheets = [sheet];
  shadow.append(root);

  // On phones the keyboard covers the window without resizing it: the dialog keeps to the part that is seen.
  const viewport = window.visualViewport;
  const fit = () => {
    dialog.style.cssText = `--seen:${viewport!.height}px;--top:${viewport!.offsetTop}px`;
  };
  for (const change of ['resize', 'scroll']) viewport?.addEventListener(change, fit, { signal });

  return {
    shadow,
    launcher,
    render(settings, isOpen, unread) {
      // A site's own label stays as it is: aria-expanded tells the state in every language.
      const name = settings.label ?? (isOpen ? words.close : words.open);
      launcher.setAttribute('aria-label', unread ? `${name}, ${unread} ${words.unread}` : name);
      launcher.setAttribute('aria-expanded', String(isOpen));
      drawing.setAttribute('d', isOpen ? cross : bubble);
      badge.textContent = unread > 9 ? '9+' : String(unread || '');
      dialog.setAttribute('aria-label', settings.brand ?? words.title);
      root.className = `root ${settings.position} ${isOpen ? 'open' : ''}`;
      // Mixing brings any colour into sRGB, where contrast can be told.
      root.style.cssText =
        `z-index:${settings.zIndex};--offset:${settings.offset}px;` +
        `color-scheme:${settings.theme === 'light' || settings.theme === 'dark' ? settings.theme : 'light dark'};` +
        `color:color-mix(in srgb,${settings.color},${settings.color})`;
      root.style.stroke = inkOn(getComputedStyle(root).color);
    },
  };
}
