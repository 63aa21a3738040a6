import { refusedMark } from './browser/refuse-files.ts';
import type { Signal } from '@preact/signals';
import { action, effect } from '@preact/signals';
import { openChannel } from '../bridge/channel.ts';
import type { FrameMessage, FrameSettings, HostMessage, WidgetEvent } from '../bridge/messages.ts';
import { readHostMessage } from '../bridge/messages.ts';
import type { Core } from './core.ts';
import type { SiteViews } from './shared.ts';

/** The messages that the app sends to the host page. */
export interface Host {
  close: () => void;
  /** Asks to open the panel. */
  open: () => void;
  /** Shows the preview of an answer, `height` CSS pixels high; 0 ends it. */
  preview: (height: number) => void;
  tell: (event: WidgetEvent) => void;
  /** Asks for a fresh token of the customer. */
  askForToken: () => void;
  /** Starts to apply the host page's messages, and to report the unread count and whether there is a session. */
  attach: (core: Core) => void;
}

declare const __DESKSIDE_VERSION__: string;

/**
 * `origin`: the host page's, the only one whose messages are accepted. `brand`: the operator's, where the page sets
 * nothing else.
 */
export function openHost(
  origin: string,
  settings: Signal<Partial<FrameSettings>>,
  site: SiteViews | null,
  brand: Partial<FrameSettings> = {},
): Host {
  let core: Core | null = null;
  /** The panel has been closed since it was loaded. */
  let wasClosed = false;

  const obey = action((message: HostMessage) => {
    if (!core) return;
    const { view, isOpen, newTicket, session, joined, whenJoined } = core;
    if (message.type === 'closed') {
      isOpen.value = false;
      wasClosed = true;
      view.said.value = null;
    } else if (message.type === 'dropped') document.dispatchEvent(new Event(refusedMark));
    else if (message.type === 'prefill') {
      const {
        name: customer_name,
        email: customer_email,
        subject,
        description,
        topic,
        fields,
      } = message.fields;
      newTicket.prefill({ customer_name, customer_email, subject, description, topic, fields });
    } else if (message.type === 'identify' || message.type === 'identifying') {
      // SECURITY: set before the second script is loaded: the current session may be another customer's.
      if (!joined.peek()) session.isPending.value = true;
      whenJoined(({ customer: { identity } }) => {
        if (message.type === 'identify') void identity.identify(message.token);
        else identity.expect();
      });
    } else if (message.type === 'identify_failed') whenJoined(({ customer }) => customer.identity.refuse());
    else if (message.type === 'logout') whenJoined(({ customer }) => void customer.signOut());
    else if (message.type === 'diagnose')
      whenJoined(
        ({ diagnose }) => void diagnose().then((diagnosis) => channel.post({ type: 'diagnosis', diagnosis })),
      );
    // SECURITY: the origin is fixed when the frame is made; a message cannot change it.
    else if (message.type === 'update') settings.value = { ...brand, ...message.settings, origin };
    else if (message.type === 'open') {
      const isOpened = !isOpen.peek() && !settings.peek().inline;
      isOpen.value = true;
      if (message.ticket !== undefined) view.go({ name: 'thread', ref: message.ticket });
      else if (message.view) view.go({ name: 'new' });
      else {
        site?.open(view, message.article);
        if (isOpened) whenJoined(({ showUnread }) => showUnread(wasClosed));
      }
    }
  });

  const channel = openChannel<HostMessage, FrameMessage>(
    { source: () => window.parent, origin, read: readHostMessage },
    obey,
    new AbortController().signal,
  );
  return {
    close: () => channel.post({ type: 'close' }),
    open: () => channel.post({ type: 'open' }),
    preview: (height) => channel.post({ type: 'preview', height }),
    tell: (event) => channel.post({ type: 'event', event }),
    askForToken: () => channel.post({ type: 'token' }),
    attach(attached) {
      core = attached;
      channel.post({ type: 'ready', version: __DESKSIDE_VERSION__ });
      effect(() => {
        const count = attached.joined.value?.unread.value;
        if (count !== undefined) channel.post({ type: 'unread', count });
      });
      effect(() => channel.post({ type: 'used', used: attached.session.isUsed.value }));
    },
  };
}
