import type { FunctionalComponent, ShallowRef } from 'vue';
import type { Identity } from './component.d.ts';
import type { EventName, Events } from './deskside.d.ts';
import type { LoadOptions } from './index.d.ts';

export interface DesksideProps extends LoadOptions, Identity {}

/**
 * Shows the widget while this component is mounted. The component itself renders nothing. Render it once. Changed
 * properties change the widget. On a server it does nothing.
 */
export const Deskside: FunctionalComponent<
  DesksideProps,
  { [Name in EventName]: (detail: Events[Name]) => void }
>;

/** How many answers the customer has not had on screen, for a badge of your own. */
export function useUnread(): Readonly<ShallowRef<number>>;
