import type { EventName } from '../../api.ts';
import type { Core } from '../../deferred.ts';
import { ownGlobal } from '../../dom.ts';

declare global {
  interface Window {
    /** Of Google Tag Manager and similar tools. */
    dataLayer?: object[];
  }
}

const names: EventName[] = ['open', 'close', 'ticket-created', 'message-sent', 'message-received', 'error'];

/**
 * Passes the names of events on to a tag manager, if the site wants it; never what they are about. `isOpened`: the
 * customer has opened the panel already.
 */
export function createDataLayer({ settings, commands }: Core, isOpened: boolean) {
  const push = (name: EventName) => {
    if (settings.dataLayer)
      (ownGlobal('dataLayer') ?? (window.dataLayer = [])).push({ event: `deskside:${name}` });
  };
  // The press that opened the panel came before this script.
  if (isOpened) push('open');
  for (const name of names) commands.on(name, () => push(name));
}
