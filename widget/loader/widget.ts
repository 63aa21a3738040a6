import type { FrameMessage, Prefill } from '../bridge/messages.ts';
import { emit, listen } from './events.ts';
import type { EventName } from './events.ts';
import { createFrame } from './frame.ts';
import { createIdentity } from './identity.ts';
import type { Identity } from './identity.ts';
import { keepAttached } from './reattach.ts';
import { frameSettings, frameUrl } from './settings.ts';
import type { Settings } from './settings.ts';
import { readUse, rememberUse, wakeIfUsed } from './used.ts';
import { createView } from './view.ts';

interface OpenTarget {
  view?: 'new';
  ticket?: string;
}

/** What `Deskside(name, …)` can be asked. */
export interface Commands extends Pick<Identity, 'identify' | 'logout'> {
  open: (target?: OpenTarget) => void;
  close: () => void;
  toggle: () => void;
  show: () => void;
  hide: () => void;
  prefill: (fields: Prefill) => void;
  update: (changes: Settings) => void;
  /** Returns the unsubscribe function. */
  on: (name: EventName, handler: (detail: unknown) => void) => () => void;
}

/** Puts the launcher into the page. Nothing is fetched or stored before the customer turns to it. */
export function createWidget(bff: string, settings: Settings, signal: AbortSignal): Commands {
  let isOpen = false;
  let unread = 0;
  let opener: HTMLElement | null;

  const frame = createFrame(
    bff,
    () => frameUrl(bff, settings),
    () => void renew(),
    hear,
    signal,
  );
  const { renew, ...identity } = createIdentity(frame, signal);
  const view = createView(frame.dialog, signal);
  const { shadow, launcher } = view;
  const render = () => view.render(settings, isOpen, unread);
  const sendSettings = () => frame.send({ type: 'update', settings: frameSettings(settings) });
  const reload = () => {
    frame.reload();
    if (isOpen) frame.send({ type: 'open' });
  };

  function hear(message: FrameMessage) {
    if (message.type === 'ready' && isOpen && shadow.activeElement) frame.focus();
    if (message.type === 'close') close();
    if (message.type === 'token') void renew();
    // A session that is to end counts only once it has ended.
    if (message.type === 'used' && !(message.used && readUse() === 'logout'))
      rememberUse(message.used ? '1' : null);
    if (message.type === 'event') emit(message.event.name, message.event.detail);
    if (message.type === 'unread' && message.count !== unread) {
      unread = message.count;
      render();
      emit('unread', { count: unread });
    }
  }

  function open(target?: OpenTarget) {
    if (!isOpen) {
      opener = document.activeElement as HTMLElement | null;
      isOpen = true;
      render();
      emit('open');
    }
    frame.warm();
    frame.focus();
    sendSettings();
    frame.send({ ...target, type: 'open' });
  }

  function close() {
    if (!isOpen) return;
    isOpen = false;
    render();
    frame.send({ type: 'closed' });
    if (shadow.activeElement) {
      // Where the opener cannot take the focus (the page itself, or gone) it stays on the launcher.
      launcher.focus();
      opener?.focus({ preventScroll: true });
    }
    emit('close');
  }

  const toggle = () => (isOpen ? close() : open());
  launcher.addEventListener('click', toggle);
  for (const sign of ['pointerenter', 'focus']) launcher.addEventListener(sign, frame.warm);
  shadow.addEventListener('keydown', (event) => (event as KeyboardEvent).key === 'Escape' && close());
  keepAttached(
    shadow.host,
    () => {
      render();
      reload();
    },
    signal,
  );
  if (readUse() === 'logout') frame.send({ type: 'logout' });
  wakeIfUsed(frame.warm, signal);

  return {
    open,
    close,
    toggle,
    show() {
      launcher.hidden = false;
    },
    hide() {
      launcher.hidden = true;
    },
    prefill: (fields) => frame.send({ type: 'prefill', fields }),
    ...identity,
    update(changes) {
      Object.assign(settings, changes);
      render();
      if (changes.locale || changes.texts) reload();
      else sendSettings();
    },
    on: (name, handler) => listen(name, handler, signal),
  };
}
