import type { Core } from '../loader/guest.ts';

const attributes = ['aria-expanded', 'aria-haspopup', 'data-deskside-unread'] as const;

/** The site's own launchers, whenever they come: a click opens and closes, and they are told the state. */
export function createLaunchers({ settings, commands, view, signal }: Core) {
  const state: Record<(typeof attributes)[number], string> = {
    'aria-expanded': 'false',
    'aria-haspopup': 'dialog',
    'data-deskside-unread': '0',
  };
  const told = new Set<Element>();
  let selector: string | undefined;

  function find(): Element[] {
    try {
      return selector ? [...document.querySelectorAll(selector)] : [];
    } catch {
      // No selector.
      return [];
    }
  }
  function paint() {
    const found = find();
    for (const element of told)
      if (!found.includes(element)) {
        attributes.forEach((name) => element.removeAttribute(name));
        told.delete(element);
      }
    for (const element of found) {
      told.add(element);
      for (const name of attributes)
        if (element.getAttribute(name) !== state[name]) element.setAttribute(name, state[name]);
    }
  }
  const observer = new MutationObserver(paint);
  const watch = () => {
    observer.disconnect();
    if (selector) observer.observe(document, { childList: true, subtree: true });
  };

  document.addEventListener(
    'click',
    ({ target }) => {
      if (target instanceof Element && find().some((element) => element.contains(target))) commands.toggle();
    },
    { signal },
  );
  signal.addEventListener('abort', () => {
    selector = undefined;
    watch();
    paint();
  });

  return (isOpen: boolean, unread: number) => {
    state['aria-expanded'] = String(isOpen);
    state['data-deskside-unread'] = String(unread);
    if (settings.launcher !== selector) {
      // Ours comes back when the site gives up its own.
      if (selector) view.launcher.hidden = !!settings.launcher;
      selector = settings.launcher;
      watch();
    }
    paint();
  };
}
