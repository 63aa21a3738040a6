import { refusedMark } from './browser/refuse-files.ts';
import { action, effect, type Signal } from '@preact/signals';
import { openChannel } from '../bridge/channel.ts';
import {
  type FrameMessage,
  type FrameSettings,
  readHostMessage,
  type WidgetEvent,
} from '../bridge/messages.ts';
import type { Models } from './models.ts';
import type { SiteViews } from './app.ts';

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
  /** Starts to apply the host page's messages, and to report the unread count, the width, and whether there is a session. */
  attach: (models: Models, site?: SiteViews | null) => void;
}

declare const __DESKSIDE_VERSION__: string;

/**
 * `origin`: the host page's, the only one whose messages are accepted. `brand`: the operator's, where the page sets
 * nothing else.
 */
export function openHost(
  origin: string,
  settings: Signal<Partial<FrameSettings>>,
  brand: Partial<FrameSettings> = {},
): Host {
  let models: Models | null = null;
  let site: SiteViews | null = null;
  /** The panel has been closed since it was loaded. */
  let wasClosed = false;

  const obey = action((value: unknown) => {
    const message = readHostMessage(value);
    if (!models || !message) return;
    const { view, isOpen, newTicket, customer } = models;
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
    } else if (message.type === 'context') newTicket.describe(message.context);
    else if (message.type === 'identify') void customer.identity.identify(message.token);
    else if (message.type === 'identifying') customer.identity.expect();
    else if (message.type === 'identify_failed') customer.identity.refuse();
    else if (message.type === 'logout') void customer.signOut();
    else if (message.type === 'diagnose')
      void models.diagnose().then((diagnosis) => post({ type: 'diagnosis', diagnosis }));
    // SECURITY: the origin is fixed when the frame is made; a message cannot change it.
    else if (message.type === 'update') settings.value = { ...brand, ...message.settings, origin };
    else if (message.type === 'open') {
      const isOpened = !isOpen.peek() && !settings.peek().inline;
      isOpen.value = true;
      if (message.ticket !== undefined) view.go({ name: 'thread', ref: message.ticket });
      else if (message.view) view.go({ name: 'new' });
      else {
        site?.open(view, message.article);
        if (isOpened) models.showUnread(wasClosed);
      }
    }
  });

  const post: (message: FrameMessage) => void = openChannel(
    () => window.parent,
    origin,
    obey,
    new AbortController().signal,
  );
  return {
    close: () => post({ type: 'close' }),
    open: () => post({ type: 'open' }),
    preview: (height) => post({ type: 'preview', height }),
    tell: (event) => post({ type: 'event', event }),
    askForToken: () => post({ type: 'token' }),
    attach(attached, siteViews = null) {
      models = attached;
      site = siteViews;
      post({ type: 'ready', version: __DESKSIDE_VERSION__ });
      effect(() => post({ type: 'unread', count: attached.unread.value }));
      effect(() => post({ type: 'wide', wide: attached.width.isWide.value }));
      effect(() =>
        post({ type: 'used', used: attached.session.isUsed.value || attached.outbox.sends.value.length > 0 }),
      );
    },
  };
}
