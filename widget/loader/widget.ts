import type { UncheckedMessage } from '../bridge/channel.ts';
import { attempt, plain } from '../bridge/fields.ts';
import type { OpenTarget, Settings } from './api.ts';
import { find, openPopover, safeDocument } from './dom.ts';
import { emit } from './events.ts';
import { createFrame } from './frame.ts';
import type { Frame } from './frame.ts';
import type { Core, CoreCommands, Deferred, DeferredModule } from './deferred.ts';
import { inlineName } from './inline.ts';
import { keepAttached } from './reattach.ts';
import { change, isDeferred, language } from './settings.ts';
import { readUse, rememberUse, wasOpen, whenIdle } from './used.ts';
import { createView } from './view.ts';
import { english } from './words.ts';

/** A pointer that only passes over the launcher leaves it sooner. */
const HOVER_MS = 90;

/** The frame comes first: on a slow connection the deferred script would take half of the bandwidth. */
const LATER_MS = 100;

/** How long the launcher waits for the deferred script, where that shows it otherwise. */
const WAIT_MS = 3_000;

/** Whether something of the page needs the deferred script before the customer acts. */
const isNeededHere = () =>
  location.hash.startsWith('#deskside') ||
  wasOpen() ||
  safeDocument.fullscreenElement ||
  attempt(() => safeDocument.activeElement!.closest('[role$=dialog]')) ||
  // One after the other, since for a list a browser looks at every element.
  ['dialog:modal', openPopover, inlineName].some(find);

/** Adds the launcher to the page. Nothing is fetched or stored before the customer interacts with it. */
export function createWidget(
  bff: string,
  settings: Settings,
  importDeferred: (bff: string, attempt: number) => Promise<DeferredModule>,
  signal: AbortSignal,
): Core {
  let isOpen = false;
  let imports = 0;
  let deferred: Deferred | undefined;
  let loading: Promise<Deferred> | undefined;

  const words = { ...english };
  const view = createView(settings, words);
  const { host, root, launcher } = view;
  const frames: Frame[] = [];
  const addFrame = (box: HTMLElement, overrides?: object, until = signal) => {
    const frame = createFrame(
      core,
      box,
      () => ({ ...settings, ...overrides, identify: !!core.proof }),
      onLoad,
      onMessage,
      until,
    );
    frames.push(frame);
    return frame;
  };
  const render = () => {
    view.render(isOpen);
    deferred?.render(isOpen);
    prepareIfNeeded();
  };
  const load = () =>
    (loading ??= importDeferred(bff, (imports += 1))
      .then(({ start }) => {
        deferred = start(core);
        render();
        return deferred;
      })
      .catch((error) => {
        loading = undefined;
        if (!signal.aborted) emit('error', { code: 'guest_unavailable' });
        throw error;
      }));
  /** Loads the deferred script. On failure the widget goes on without it, and the next call tries again. */
  const prepare = () => void (signal.aborted || load().catch(() => {}));

  function onLoad(frame: Frame) {
    render();
    deferred?.connect(frame);
    // At once where the frame waits for a token, which the deferred script gets from the site.
    setTimeout(prepare, core.proof ? 0 : LATER_MS);
  }

  function onMessage(message: UncheckedMessage, frame: Frame) {
    // An inline app has nothing to close.
    if (message.type === 'close') close();
    if (deferred) deferred.handle(message, frame);
    else core.early.push([message, frame]);
  }

  function open(target?: OpenTarget) {
    if (!isOpen) {
      core.opener = safeDocument.activeElement as HTMLElement | null;
      isOpen = true;
      render();
      emit('open');
      // Once more, if it has failed.
      if (imports) prepare();
    }
    panel.warm();
    panel.focus();
    panel.update();
    panel.send({ ...plain(target), type: 'open' });
  }

  function close() {
    if (!isOpen) return;
    isOpen = false;
    render();
    panel.send({ type: 'closed' });
    emit('close');
  }

  /** The second press of a double click does nothing. */
  const toggle = (press?: UIEvent) => Number(press?.detail) > 1 || (isOpen ? close() : open());
  const setHidden = (isHidden: boolean) => {
    core.isHidden = launcher.hidden = isHidden;
    render();
  };

  const commands: CoreCommands = {
    open,
    close,
    toggle,
    show: () => setHidden(false),
    hide: () => setHidden(true),
    identify(proof) {
      core.proof = proof;
      frames.forEach((each) => {
        each.send({ type: 'identifying' });
        deferred?.identify(each);
      });
    },
    logout() {
      core.proof = undefined;
      frames.forEach((each) => each.send({ type: 'logout' }));
      // If the page is left before the session has ended, the next page ends it.
      rememberUse('logout');
      panel.warm();
      render();
    },
    prefill: () => deferred?.prefill(),
    context: render,
    update(changes) {
      const given = core.read(changes);
      change(settings, given);
      render();
      const isReworded = 'locale' in given || 'texts' in given;
      frames.forEach((each) => (isReworded ? each.reload() : each.update()));
    },
    on(name, handler) {
      const type = `deskside:${name}`;
      const listener = (event: Event) =>
        // oxlint-disable-next-line no-useless-call -- a page may give something else than a function, which has no `call`
        handler?.call?.(null, (event as CustomEvent<never>).detail);
      safeDocument.addEventListener(type, listener, { signal });
      return () => safeDocument.removeEventListener(type, listener);
    },
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
    read: plain,
    calls: [],
    explain: () => whenIdle(prepare, signal),
    early: [],
    render,
  };
  const panel = addFrame(view.dialog);

  /** Loads the deferred script where the page needs it before the customer acts. */
  const prepareIfNeeded = () => {
    if (loading) return;
    if (isDeferred(settings) || core.isMisplaced || isNeededHere()) prepare();
    else if (settings.texts || settings.invite || !/^en/i.test(language(settings) || navigator.language))
      whenIdle(prepare, signal);
  };

  if (isDeferred(settings)) {
    launcher.hidden = true;
    setTimeout(() => signal.aborted || setHidden(!!core.isHidden), WAIT_MS);
  }
  const options = { capture: true, signal };
  launcher.addEventListener('click', toggle);
  // The deferred script refuses what is dropped.
  launcher.addEventListener('dragenter', prepare);
  // Not where the customer saves data. Asked late, since the first answer takes long.
  const warm = () => navigator.connection?.saveData || panel.warm();
  launcher.addEventListener('pointerdown', warm);
  launcher.addEventListener('focus', warm);
  launcher.addEventListener('pointerenter', () =>
    setTimeout(() => launcher.matches(':hover') && warm(), HOVER_MS),
  );
  /** A press anywhere in the page: on a link to the widget, or on a launcher of the site's own. */
  const onPress = (event: MouseEvent) => {
    const pressed = (event.target as Element).closest('[href^="#deskside"],' + settings.launcher);
    const link = pressed?.getAttribute('href');
    // The launcher may be a link, for browsers without scripts. The address stays: it may name the page's own view, and
    // `base` would lead to another page.
    if (pressed) event.preventDefault();
    if (link?.startsWith('#deskside')) {
      core.calls.push([link]);
      prepare();
    } else if (pressed) toggle(event);
  };
  // The site's own launchers work at once; the deferred script later hides ours.
  addEventListener('click', (event) => attempt(() => onPress(event)), options);
  // An inline widget was added, a dialog or fullscreen element opened, or a link to the widget was followed.
  for (const type of [inlineName, 'toggle', 'focusin', 'fullscreenchange', 'hashchange'])
    addEventListener(type, prepareIfNeeded, options);
  keepAttached(
    host,
    () => {
      // Whatever the page removes leaves the top layer. The deferred script moves it there again.
      root.popover = null;
      render();
      panel.reload();
    },
    render,
    signal,
  );
  // Some styles of the page's root, such as a `transform`, put what is fixed at the end of the page.
  new IntersectionObserver(([place]) => {
    if (place!.isIntersecting || !place!.boundingClientRect.height) return;
    core.isMisplaced = true;
    render();
  }).observe(view.dialog);
  const use = readUse();
  const isSignedOut = use === 'logout';
  if (isSignedOut) panel.send({ type: 'logout' });
  if (use) whenIdle(isSignedOut ? panel.warm : warm, signal);
  return core;
}
