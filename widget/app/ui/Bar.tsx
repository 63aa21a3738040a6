import type { ComponentChildren } from 'preact';
import { BrandMark } from './BrandMark.tsx';
import { Icon } from './Icon.tsx';
import type { IconName } from './Icon.tsx';
import type { AppProps } from '../app.ts';
import type { View } from '../view.ts';

interface BarProps extends AppProps {
  /** Label of the button back to the start; no button without it. */
  back?: string | false | undefined;
  /** The target of that button, if it is not the start. */
  to?: View | undefined;
  /** Shows the brand's picture. */
  hasMark?: boolean;
  /** The heading of the view, unless the children have it. */
  title?: string;
  /** Buttons before the one that closes. */
  actions?: ComponentChildren;
  children?: ComponentChildren;
}

/** The top of a view: back button, heading, close button. */
export function Bar({ app, back, to = { name: 'start' }, hasMark, title, actions, children }: BarProps) {
  const { s, view, siteLink, close } = app;
  return (
    <header class="bar">
      {back && <BarButton icon="back" label={back} onClick={() => view.go(to)} />}
      {hasMark && <BrandMark app={app} />}
      <div class="bar-title">
        {title && (
          <h1 tabIndex={-1} data-focus="heading">
            {title}
          </h1>
        )}
        {children}
      </div>
      {actions}
      {siteLink && (
        <a class="icon-button" href={siteLink.url} aria-label={siteLink.label} title={siteLink.label}>
          <Icon name="home" />
        </a>
      )}
      {close && <BarButton icon="close" label={s.close} onClick={close} />}
    </header>
  );
}

function BarButton({ icon, label, onClick }: { icon: IconName; label: string; onClick: () => void }) {
  return (
    <button type="button" class="icon-button" aria-label={label} title={label} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
}
