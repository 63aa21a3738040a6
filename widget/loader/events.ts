import type { EventName, Events } from './api.ts';
import { safeDocument } from './dom.ts';

/** Dispatches a DOM event on `document`: a handler that throws then affects neither the widget nor other handlers. */
export function emit<Name extends EventName>(name: Name, detail?: Events[Name]): void {
  safeDocument.dispatchEvent(new CustomEvent(`deskside:${name}`, { detail }));
}
