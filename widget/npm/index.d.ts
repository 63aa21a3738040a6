import type { Commands, EventName, Events, Settings } from './deskside.d.ts';

export type * from './deskside.d.ts';

/** Calls the widget as `window.Deskside` does, before and after the script is loaded. */
export interface CallDeskside {
  /** Returns the unsubscribe function. */
  <Name extends EventName>(command: 'on', name: Name, handler: (detail: Events[Name]) => void): () => void;
  /** Commands return a value only after the script is loaded. Until then, and on a server, they return undefined. */
  <Name extends Exclude<keyof Commands, 'on'>>(
    command: Name,
    ...args: Parameters<Commands[Name]>
  ): ReturnType<Commands[Name]> | undefined;
}

export interface LoadOptions extends Settings {
  /** Address of your Deskside, `https://support.example.com`, or of one version's script there. */
  src: string;
  /** The page's CSP nonce, if its policy has no `strict-dynamic`. */
  nonce?: string | undefined;
  /** Hash of the script; needs the address of one version. */
  integrity?: string | undefined;
}

/** On a server it does nothing. */
export const deskside: CallDeskside;

/**
 * Adds the script to the page once. Later calls update the settings. It never throws: if the script cannot be loaded,
 * the event `error` is emitted with the code `script_unavailable`. On a server it does nothing.
 */
export function loadDeskside(options: LoadOptions): CallDeskside;
