import type { Commands, OpenTarget, Settings } from './api.ts';
import { safeDocument } from './dom.ts';
import { emit, listen } from './events.ts';
import { createFrame } from './frame.ts';
import type { Frame, Said } from './frame.ts';
import type { Core, Guest, GuestModule } from './guest.ts';
import { keepAttached } from './reattach.ts';
import { change, language } from './settings.ts';
import { readUse, rememberUse, whenIdle } from './used.ts';
import { createView } from './view.ts';
import { english } from './words.ts';

/** Puts the launcher into the page. Nothing is fetched or stored before the customer turns to it. */
export function createWidget(
  bff: string,
  settings: Settings,
  importGuest: (bff: string, attempt: number) => Promise<GuestModule>,
  signal: AbortSignal,
): Omit<Commands, 'destroy'> {
  let isOpen = false;
  let attempt = 0;
  let opener: HTMLElement | null;
  let guest: Guest | undefined;
  let loading: Promise<Guest> | undefined;

  const words = { ...english };
  const view = createView();
  const { host, shadow, root, launcher } = view;
  const frames: Frame[] = [];
  const addFrame = (box: HTMLElement, overrides?: object, until = signal) => {
    const frame = createFrame(
      core,
      box,
      () => ({ ...settings, ...overrides, identify: !!core.proof }),
      onLoad,
      hear,
      until,
    );
    frames.push(frame);
    return frame;
  };
  const render = () => {
    view.render(settings, words, isOpen);
    guest?.render(isOpen);
  };
  const load = () =>
    (loading ??= importGuest(bff, (attempt += 1))
      .then(({ createGuest }) => {
        guest = createGuest(core);
        render();
        return guest;
      })
      .catch((error) => {
        loading = undefined;
        if (!signal.aborted) emit('error', { code: 'guest_unavailable' });
        throw error;
      }));
  /** The widget does without the guest where it cannot be fetched; the next reason to tries again. */
  const prepare = () => void load().catch(() => {});

  function onLoad(frame: Frame) {
    render();
    guest?.introduce(frame);
    prepare();
  }

  function hear(message: Said, frame: Frame) {
    if (frame === panel) {
      if (message.type === 'close') close();
      if (message.type === 'ready') {
        if (isOpen) {
          if (shadow.activeElement) panel.focus();
          panel.send({ type: 'open' });
        }
        render();
      }
    }
    if (guest) guest.hear(message, frame);
    else core.early.push([message, frame]);
  }

  function open(target?: OpenTarget) {
    if (!isOpen) {
      opener = safeDocument.activeElement as HTMLElement | null;
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

  const setHidden = (isHidden: boolean) => {
    core.isHidden = launcher.hidden = isHidden;
    render();
  };

  const commands: Omit<Commands, 'destroy'> = {
    open,
    close,
    toggle: () => (isOpen ? close() : open()),
    show: () => setHidden(false),
    hide: () => setHidden(true),
    identify(proof) {
      core.proof = proof;
      frames.forEach((each) => each.send({ type: 'identifying' }));
      frames.forEach((each) => guest?.renew(each));
    },
    logout() {
      core.proof = core.fields = undefined;
      frames.forEach((each) => each.send({ type: 'logout' }));
      // The page may be left before the session has ended: the next one then ends it.
      rememberUse('logout');
      panel.warm();
    },
    prefill(fields) {
      core.fields = fields;
      guest?.fill();
    },
    update(changes) {
      change(settings, changes);
      render();
      if ('locale' in changes || 'texts' in changes) frames.forEach((each) => each.reload());
      else frames.forEach((each) => each.update());
      start();
    },
    on: (name, handler) => listen(name, handler, signal),
    diagnose: () => load().then((each) => each.diagnose()),
  };
  const core: Core = {
    bff,
    settings,
    signal,
    view,
    words,
    commands,
    frames,
    addFrame,
    early: [],
    render,
  };
  const panel = addFrame(view.dialog);

  /** Whether this page needs the guest before the customer acts. */
  const start = () => {
    if (settings.launcher || safeDocument.querySelector(':modal,deskside-widget')) prepare();
    else if (settings.texts || !/^en([-_]|$)/i.test(language(settings) || navigator.language))
      whenIdle(prepare, signal);
  };

  const options = { capture: true, signal };
  launcher.addEventListener('click', commands.toggle);
  for (const sign of ['pointerenter', 'focus']) launcher.addEventListener(sign, panel.warm);
  // The site's own launchers, in whose place the guest hides ours.
  safeDocument.addEventListener(
    'click',
    (event) => {
      try {
        if (!(event.target as Element).closest(settings.launcher!)) return;
      } catch {
        // No selector.
        return;
      }
      // A link serves where no script runs.
      event.preventDefault();
      commands.toggle();
    },
    options,
  );
  // A modal or fullscreen element that comes over the page, or an inline widget.
  for (const sign of ['toggle', 'fullscreenchange', 'deskside:mount'])
    safeDocument.addEventListener(sign, start, options);
  keepAttached(
    host,
    () => {
      render();
      // Above everything that the page shows, unless the site has chosen its place.
      if (settings.zIndex == null) {
        root.popover = 'manual';
        root.showPopover?.();
      }
      panel.reload();
    },
    signal,
  );
  const use = readUse();
  if (use === 'logout') panel.send({ type: 'logout' });
  if (use) whenIdle(panel.warm, signal);
  start();
  return commands;
}
