import type { EventName, Events } from './deskside.d.ts';
import type { LoadOptions } from './index.d.ts';

export type { LoadOptions };

/** The customer who is signed in to the site. */
export interface Identity {
  /** A token that your server signed, or a function that gets a fresh one; without it nobody is signed in. */
  identify?: string | (() => Promise<string>) | null | undefined;
  /** Your id of the customer. It is not sent anywhere. When it changes, `identify` is called again. */
  customer?: string | undefined;
}

export interface Unread {
  /** Answers that the customer has not had on screen. */
  count: () => number;
  /** Returns the unsubscribe function. */
  subscribe: (read: () => void) => () => void;
}

export interface Component {
  /** Loads the widget, or changes its settings to these. */
  load: (options: LoadOptions) => void;
  /** Signs the customer in, or out if nobody is signed in any more. */
  identify: (identity: Identity) => void;
  /** Removes the widget, unless another component is mounted. */
  end: () => void;
}

export const unreadAnswers: Unread;

export const eventNames: EventName[];

/**
 * What the React and the Vue component have in common: a widget that follows a component's properties, from mounting to
 * unmounting. For browsers only.
 */
export function startComponent(
  emit: <Name extends EventName>(name: Name, detail: Events[Name]) => void,
): Component;
