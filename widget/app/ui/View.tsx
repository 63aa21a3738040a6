import type { ComponentChildren } from 'preact';
import type { App, AppProps } from '../app.ts';
import { Icon, shapes } from './Icon.tsx';
import type { View } from '../view.ts';
import { initialOf, logoOf } from './appearance.ts';
import { IconButton } from './Button.tsx';

interface ViewProps extends AppProps {
  isThread?: boolean;
  children: ComponentChildren;
}

/** Whose support this is: the site's setting, else the server's. */
export const brandOf = ({ s, session, settings }: Pick<App, 's' | 'session' | 'settings'>): string =>
  settings.value.brand || session.current.value?.brand || s.support;

/** The `main` element of a view. It has a label because the host page usually has a `main` too. */
export function View({ app, isThread, children }: ViewProps) {
  return (
    <main class={isThread ? 'view thread' : 'view'} aria-label={brandOf(app)}>
      {children}
    </main>
  );
}

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
      {back && <IconButton look="back" icon={shapes.back} label={back} onClick={() => view.go(to)} />}
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
      {close && <IconButton icon={shapes.close} label={s.close} onClick={close} />}
    </header>
  );
}

/** The brand's logo, or its first letter until the logo is loaded. Decorative: its name stands beside it. */
export function BrandMark({ app }: AppProps) {
  const logo = logoOf(app.settings.value);
  return (
    <span class="brand-mark" aria-hidden="true">
      {initialOf(brandOf(app))}
      {logo && (
        <img
          src={logo}
          alt=""
          referrerPolicy="no-referrer"
          onError={({ currentTarget }) => currentTarget.remove()}
        />
      )}
    </span>
  );
}
