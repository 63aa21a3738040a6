import type { ComponentChildren } from 'preact';
import type { App, AppProps } from '../app.ts';

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
