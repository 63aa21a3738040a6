import type { Settings } from './api.ts';
import { element } from './dom.ts';
import css from './styles.css?inline';
import type { Words } from './words.ts';

export interface View {
  host: HTMLElement;
  shadow: ShadowRoot;
  root: HTMLElement;
  dialog: HTMLDialogElement;
  launcher: HTMLButtonElement;
  render: (isOpen: boolean) => void;
}

/** Dialog and launcher, in a shadow tree that the host page's styles do not reach. */
export function createView(settings: Settings, words: Words): View {
  const launcher = element('button', {}, element('i'));
  const dialog = element('dialog', { tabindex: '-1' });
  const root = element('div', {}, dialog, launcher);
  const host = element('deskside-root' as 'div');
  const shadow = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  shadow.adoptedStyleSheets = [sheet];
  shadow.append(root);

  return {
    host,
    shadow,
    root,
    dialog,
    launcher,
    render(isOpen) {
      const { offsetPhone } = settings;
      const isPhone = offsetPhone && matchMedia('(width<=480px),(height<=480px)').matches;
      // From the side and from the bottom of the window: `20`, `12 80`.
      const [x = 20, y = x] = String(isPhone ? offsetPhone : settings.offset).match(/-?[\d.]+/g) ?? [];
      // A site's own label does not change with the state: `aria-expanded` has the state.
      launcher.setAttribute('aria-label', settings.label ?? (isOpen ? words.close : words.open));
      launcher.setAttribute('aria-expanded', String(isOpen));
      dialog.setAttribute('aria-label', settings.brand ?? words.title);
      root.className = `root ${settings.position} ${isOpen ? 'open' : ''}`;
      root.style.cssText =
        `z-index:${settings.zIndex ?? 2 ** 31 - 1};--x:clamp(0px,${x}px,var(--limit));--y:clamp(0px,${y}px,var(--limit));` +
        `color-scheme:${['light', 'dark'].includes(settings.theme!) ? settings.theme : 'light dark'}`;
      // SECURITY: not in `cssText`: the colour may come from people other than the site's developers.
      root.style.setProperty('--color', settings.color || '');
    },
  };
}
