import type { FrameMessage, HostMessage } from '../bridge/messages.ts';
import type { Commands, EventName, OpenTarget, Settings } from './api.ts';
import { emit, listen } from './events.ts';
import { createFrame } from './frame.ts';
import type { Frame } from './frame.ts';
import type { Core, Guest, GuestModule } from './guest.ts';
import { keepAttached } from './reattach.ts';
import { language } from './settings.ts';
import { readUse, rememberUse, whenIdle } from './used.ts';
import { createView } from './view.ts';
import { english } from './words.ts';

/** What the core obeys: a site's commands, and the arrival of inline widgets. */
interface Widget extends Omit<Commands, 'destroy'> {
  inline: (element: HTMLElement) => void;
}

/** Puts the launcher into the page. Nothing is fetched or stored before the customer turns to it. */
export function createWidget(
  bff: string,
  settings: Settings,
  importGuest: () => Promise<GuestModule>,
  signal: AbortSignal,
): Widget {
  let isOpen = false;
  let unread = 0;
  let opener: HTMLElement | null;
  let guest: Guest | undefined;
  let loading: Promise<Guest> | undefined;

  const words = { ...english };
  const view = createView();
  const { host, shadow, launcher } = view;
  const frames: Frame[] = [];
  const tell = (message: HostMessage) => frames.forEach((each) => each.send(message));
  const addFrame = (box: HTMLElement, overrides?: DOMStringMap, until = signal) => {
    const frame = createFrame({
      bff,
      box,
      settings: () => ({ ...settings, ...overrides }),
      words,
      onLoad,
      onMessage: hear,
      signal: until,
    });
    frames.push(frame);
    return frame;
  };
  const render = () => {
    view.render(settings, words, isOpen, unread);
    guest?.render(isOpen, unread);
  };
  const reload = () => {
    frames.forEach((each) => each.reload());
    if (isOpen) panel.send({ type: 'open' });
  };

  const load = () =>
    (loading ??= importGuest().then(
      ({ createGuest }) => {
        signal.throwIfAborted();
        guest = createGuest(core);
        render();
        return guest;
      },
      (error) => {
        loading = undefined;
        throw error;
      },
    ));
  /** The widget does without the guest where it cannot be fetched; the next reason to tries again. */
  const prepare = () => void load().catch(() => {});

  function onLoad(frame: Frame) {
    render();
    guest?.renew(frame);
    prepare();
  }

  function hear(message: FrameMessage, frame: Frame) {
    if (frame === panel) {
      if (message.type === 'open') open();
      if (message.type === 'close') close();
      if (message.type === 'ready') {
        if (isOpen && shadow.activeElement) panel.focus();
        render();
      }
    }
    // A session that is to end counts only once it has ended.
    if (message.type === 'used' && !(message.used && readUse() === 'logout'))
      rememberUse(message.used ? '1' : null);
    if (message.type === 'event') emit<EventName>(message.event.name, message.event.detail);
    if (message.type === 'unread' && message.count !== unread) {
      unread = message.count;
      render();
      emit('unread', { count: unread });
    }
    guest?.hear(message, frame);
  }

  function open(target?: OpenTarget) {
    if (!isOpen) {
      opener = document.activeElement as HTMLElement | null;
      isOpen = true;
      render();
      emit('open');
    }
    panel.warm();
    panel.focus();
    panel.update();
    panel.send({ ...target, type: 'open' });
  }

  function close() {
    if (!isOpen) return;
    // Read first: what is drawn closed loses the focus.
    const hadFocus = shadow.activeElement;
    isOpen = false;
    render();
    panel.send({ type: 'closed' });
    if (hadFocus) {
      // Where the opener cannot take the focus (the page itself, or gone) it stays on the launcher.
      launcher.focus();
      opener?.focus({ preventScroll: true });
    }
    emit('close');
  }

  const commands: Widget = {
    open,
    close,
    toggle: () => (isOpen ? close() : open()),
    show() {
      launcher.hidden = false;
    },
    hide() {
      launcher.hidden = true;
    },
    identify(proof) {
      core.proof = proof;
      frames.forEach((each) => each.isLoaded() && guest?.renew(each));
    },
    logout() {
      core.proof = undefined;
      tell({ type: 'logout' });
      if (readUse()) {
        // The page may be left before the session has ended: the next one then ends it.
        rememberUse('logout');
        panel.warm();
      }
    },
    prefill(fields) {
      core.fields = fields;
      tell({ type: 'prefill', fields });
    },
    update(changes) {
      Object.assign(settings, changes);
      render();
      if (changes.locale || changes.texts) reload();
      else frames.forEach((each) => each.update());
      start();
    },
    on: (name, handler) => listen(name, handler, signal),
    diagnose: () => load().then((each) => each.diagnose()),
    // One that stands in the page already is found by the guest when that comes.
    inline: (place) => (guest ? guest.mount(place) : prepare()),
  };
  const core: Core = { bff, settings, signal, view, words, commands, frames, addFrame, render, reload };
  const panel = addFrame(view.dialog);

  /** Whether this page needs the guest before the customer acts. */
  const start = () => {
    if (settings.launcher) launcher.hidden = true;
    if (settings.launcher || document.querySelector(':modal,deskside-widget')) prepare();
    else if (settings.texts || !/^en([-_]|$)/i.test(language(settings) || navigator.language))
      whenIdle(prepare, signal);
  };

  launcher.addEventListener('click', commands.toggle);
  for (const sign of ['pointerenter', 'focus']) launcher.addEventListener(sign, panel.warm);
  shadow.addEventListener('keydown', (event) => (event as KeyboardEvent).key === 'Escape' && close());
  // A modal or fullscreen element that comes over the page.
  for (const sign of ['toggle', 'fullscreenchange']) document.addEventListener(sign, start, { capture: true, signal });
  keepAttached(
    host,
    () => {
      render();
      view.lift(settings);
      reload();
    },
    signal,
  );
  if (readUse() === 'logout') panel.send({ type: 'logout' });
  if (readUse()) whenIdle(panel.warm, signal);
  start();
  return commands;
}
