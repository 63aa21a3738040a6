import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { Identity } from './component.d.ts';
import type { EventName, Events } from './deskside.d.ts';
import type { LoadOptions } from './index.d.ts';

export interface DesksideProps extends LoadOptions, Identity {
  on?: { [Name in EventName]?: (detail: Events[Name]) => void } | undefined;
}

/**
 * Shows the widget while this component is mounted. The component itself renders nothing. Render it once. Changed
 * properties change the widget. On a server it does nothing.
 */
export function Deskside(props: DesksideProps): null;

/** How many answers the customer has not had on screen, for a badge of your own. */
export function useUnread(): number;

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      /** The panel in the page. Settings as `data-*` override those of `<Deskside>`. */
      'deskside-widget': DetailedHTMLProps<HTMLAttributes<HTMLElement>, HTMLElement>;
    }
  }
}
