import { element } from './dom.ts';
import type { Settings } from './settings.ts';
import css from './styles.css?inline';
import { words } from './words.ts';

export interface View {
  shadow: ShadowRoot;
  launcher: HTMLButtonElement;
  render: (settings: Settings, isOpen: boolean, unread: number) => void;
}

/** All that the host page sees: dialog and launcher in a shadow tree that its styles do not reach. */
export function createView(dialog: HTMLElement, signal: AbortSignal): View {
  const badge = element('span');
  const launcher = element('button', { 'aria-haspopup': 'dialog' }, element('i'), badge);
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
      badge.textContent = unread > 9 ? '9+' : String(unread || '');
      dialog.setAttribute('aria-label', settings.brand ?? words.title);
      root.className = `root ${settings.position} ${isOpen ? 'open' : ''}`;
      root.style.cssText =
        `z-index:${settings.zIndex};--offset:${settings.offset}px;` +
        `color-scheme:${settings.theme === 'light' || settings.theme === 'dark' ? settings.theme : 'light dark'};` +
        `--color:${settings.color}`;
    },
  };
}
