import type { Signal } from './state/signal.ts';
import { effect } from './state/signal.ts';
import { openChannel } from '../bridge/channel.ts';
import type { Diagnosis, FrameMessage, FrameSettings, HostMessage, WidgetEvent } from '../bridge/messages.ts';
import { isHostMessage, readSettings } from '../bridge/messages.ts';
import type { Support } from './state/support.ts';

/** The host page, as the app may speak to it. */
export interface Host {
  close: () => void;
  /** Asks for the panel to be opened. */
  open: () => void;
  /** Shows the preview of an answer, so many CSS pixels high; 0 ends it. */
  preview: (height: number) => void;
  tell: (event: WidgetEvent) => void;
  /** Asks for a fresh token of the customer. */
  askForToken: () => void;
  /** Begins to obey the host page and to tell it what it shows outside the frame. */
  attach: (support: Support, diagnose: () => Promise<Diagnosis | undefined>) => void;
}

declare const __DESKSIDE_VERSION__: string;

/** `origin` is the host page's, the only one that is heard. */
export function openHost(origin: string, settings: Signal<Partial<FrameSettings>>): Host {
  let attached: { support: Support; diagnose: () => Promise<Diagnosis | undefined> } | null = null;

  function obey(message: HostMessage) {
    if (!attached) return;
    const { support, diagnose } = attached;
    const { view, isOpen, newTicket, customer } = support;
    if (message.type === 'closed') isOpen.value = false;
    else if (message.type === 'prefill') {
      const { name: customer_name, email: customer_email, subject, description } = message.fields;
      newTicket.prefill({ customer_name, customer_email, subject, description });
    } else if (message.type === 'identify') void customer.identity.identify(message.token);
    else if (message.type === 'identifying') customer.identity.expect();
    else if (message.type === 'identify_failed') customer.identity.refuse();
    else if (message.type === 'logout') void customer.signOut();
    else if (message.type === 'diagnose')
      void diagnose().then((diagnosis) => diagnosis && channel.post({ type: 'diagnosis', diagnosis }));
    // SECURITY: the origin is fixed when the frame is made; a message cannot move it.
    else if (message.type === 'update') settings.value = { ...readSettings(message.settings), origin };
    else if (message.type === 'open') {
      isOpen.value = true;
      if (message.ticket !== undefined) view.go({ name: 'thread', ref: message.ticket });
      else if (message.view) view.go({ name: 'new' });
    }
  }

  const channel = openChannel<HostMessage, FrameMessage>(
    { source: () => window.parent, origin, isMessage: isHostMessage },
    obey,
    new AbortController().signal,
  );
  return {
    close: () => channel.post({ type: 'close' }),
    open: () => channel.post({ type: 'open' }),
    preview: (height) => channel.post({ type: 'preview', height }),
    tell: (event) => channel.post({ type: 'event', event }),
    askForToken: () => channel.post({ type: 'token' }),
    attach(support, diagnose) {
      attached = { support, diagnose };
      channel.post({ type: 'ready', version: __DESKSIDE_VERSION__ });
      effect(() => channel.post({ type: 'unread', count: support.unread.value }));
      effect(() => channel.post({ type: 'used', used: support.session.isUsed.value }));
    },
  };
}
