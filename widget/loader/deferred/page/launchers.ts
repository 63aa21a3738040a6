import type { Settings } from '../../api.ts';
import { safeDocument } from '../../dom.ts';
import type { Core } from '../../deferred.ts';

const attributes = ['aria-expanded', 'aria-haspopup', 'data-deskside-unread'] as const;

/** The elements that are the site's own launchers now. */
export function findLaunchers({ launcher }: Settings): Element[] {
  try {
    return launcher ? [...safeDocument.querySelectorAll(launcher)] : [];
  } catch {
    // Not a valid selector.
    return [];
  }
}

/** Keeps the state of the panel in attributes of the site's own launchers, also of those that are added later. */
export function createLaunchers(core: Core, isAway: () => boolean) {
  const { settings, view, signal } = core;
  const state: Record<(typeof attributes)[number], string> = {
    'aria-expanded': 'false',
    'aria-haspopup': 'dialog',
    'data-deskside-unread': '0',
  };
  /** The painted launchers, with the attribute values that they had before. */
  const painted = new Map<Element, (string | null)[]>();

  function paint(found: Element[]) {
    for (const [element, before] of painted)
      if (!found.includes(element)) {
        attributes.forEach((name, index) => {
          const value = before[index] ?? null;
          if (value === null) element.removeAttribute(name);
          else element.setAttribute(name, value);
        });
        painted.delete(element);
      }
    for (const element of found) {
      if (!painted.has(element))
        painted.set(
          element,
          attributes.map((name) => element.getAttribute(name)),
        );
      for (const name of attributes)
        if (element.getAttribute(name) !== state[name]) element.setAttribute(name, state[name]);
    }
  }
  /** Ours is hidden only while a launcher of the site exists, so that there always is one. */
  function update() {
    const found = findLaunchers(settings);
    view.launcher.hidden =
      core.isHidden || !!found.length || (state['aria-expanded'] === 'false' && isAway());
    paint(found);
  }
  const observer = new MutationObserver(update);
  signal.addEventListener('abort', () => {
    observer.disconnect();
    paint([]);
  });

  return (isOpen: boolean, unread: number) => {
    state['aria-expanded'] = String(isOpen);
    state['data-deskside-unread'] = String(unread);
    observer.disconnect();
    // oxlint-disable-next-line no-restricted-globals -- the node, which an observer needs
    if (settings.launcher) observer.observe(document, { childList: true, subtree: true });
    update();
  };
}
