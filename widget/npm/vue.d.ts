import type { AllowedComponentProps, ShallowRef, VNodeProps } from 'vue';
import type { Identity } from './component.d.ts';
import type { EventName, Events } from './deskside.d.ts';
import type { LoadOptions } from './index.d.ts';

export interface DesksideProps extends LoadOptions, Identity {}

type Camel<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;
/** `@ticket-created` of a template is `onTicketCreated`. */
type Handlers = {
  [Name in EventName as `on${Capitalize<Camel<Name>>}`]?: (detail: Events[Name]) => void;
};

/**
 * Shows the widget while this component is mounted. The component itself renders nothing. Render it once. Changed
 * properties change the widget. On a server it does nothing.
 */
export const Deskside: new () => { $props: AllowedComponentProps & VNodeProps & DesksideProps & Handlers };

/** How many answers the customer has not had on screen, for a badge of your own. */
export function useUnread(): Readonly<ShallowRef<number>>;
