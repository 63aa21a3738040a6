import type { ComponentChildren, TargetedKeyboardEvent } from 'preact';
import type { App, AppProps } from '../app.ts';
import { Icon } from './Icon.tsx';

/** What a menu offers; falsy: it is left out. */
type MenuItem = readonly [label: string, run: () => void] | false | null | undefined | '';

interface MenuProps extends AppProps {
  id: string;
  items: readonly MenuItem[];
  /** Above the items. */
  children?: ComponentChildren;
}

/** The oldest browsers have none: their menu is open while it has the focus (`.menu` in `thread-later.css`). */
const hasPopovers = 'hidePopover' in HTMLElement.prototype;

/** Closes the menu, not the panel. */
function closeOnEscape(event: TargetedKeyboardEvent<HTMLElement>) {
  const menu = event.currentTarget.lastElementChild as HTMLElement;
  if (event.key !== 'Escape' || !hasPopovers || !menu.matches(':popover-open')) return;
  event.preventDefault();
  menu.hidePopover();
}

/** In CSS pixels: in a browser window that is narrower, a panel could hardly grow. */
const leastWindow = 600;

/** A full page and an inline app, which have nothing to close, have a size that is not ours. */
const widthItem = ({ s, close, session, width }: App): MenuItem =>
  close &&
  session.isUsed.value &&
  outerWidth > leastWindow &&
  matchMedia('(pointer: fine)').matches && [width.isWide.value ? s.narrower : s.wider, width.toggle];

/** "More options" in the bar of a view. Without an item it is not there. */
export function Menu({ app, id, items, children }: MenuProps) {
  const { s } = app;
  const offered = [widthItem(app), ...items].filter((item) => item) as readonly Exclude<
    MenuItem,
    false | null | undefined | ''
  >[];
  if (offered.length === 0) return null;
  return (
    // It takes the focus where a press gives none to a button, as in Safari.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys of what is in it
    <div tabIndex={-1} onKeyDown={closeOnEscape}>
      <button
        type="button"
        class="icon-button"
        aria-label={s.more}
        title={s.more}
        // Shown and closed by the browser itself, also by Escape and by a press beside it.
        {...{ popovertarget: id }}
      >
        <Icon name="more" />
      </button>
      <div class="menu" id={id} popover="auto">
        {children}
        {offered.map(([label, run], place) => (
          // By its place: a new element for a new label would take the pressed one away before it closes the menu.
          <button key={place} type="button" {...{ popovertarget: id }} onClick={run}>
            {label}
          </button>
        ))}
      </div>
    </div>
  );
}
