import type { ComponentChildren, TargetedKeyboardEvent } from 'preact';
import type { AppProps } from '../app.ts';
import { Icon } from './Icon.tsx';

/** What a menu offers; falsy: it is left out. */
export type MenuItem = readonly [label: string, run: () => void] | false | null | undefined | '';

interface MenuProps extends AppProps {
  id: string;
  items: readonly MenuItem[];
  /** Above the items. */
  children?: ComponentChildren;
}

/** Closes the menu, not the panel. */
function closeOnEscape(event: TargetedKeyboardEvent<HTMLElement>) {
  const menu = event.currentTarget.querySelector<HTMLElement>(':popover-open');
  if (event.key !== 'Escape' || !menu) return;
  event.preventDefault();
  menu.hidePopover();
}

/** "More options" in the bar of a view. Without an item it is not there. */
export function Menu({ app: { s }, id, items, children }: MenuProps) {
  const offered = items.filter((item) => item) as readonly Exclude<MenuItem, false | null | undefined | ''>[];
  if (offered.length === 0) return null;
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys of what is in it
    <div onKeyDown={closeOnEscape}>
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
        {offered.map(([label, run]) => (
          <button key={label} type="button" {...{ popovertarget: id }} onClick={run}>
            {label}
          </button>
        ))}
      </div>
    </div>
  );
}
