import { openChannel } from '../bridge/channel.ts';
import { isFrameMessage } from '../bridge/messages.ts';
import type { FrameMessage, HostMessage } from '../bridge/messages.ts';
import { element } from './dom.ts';
import { emit } from './events.ts';
import { words } from './words.ts';

const READY_TIMEOUT_MS = 10_000;

export interface Frame {
  dialog: HTMLElement;
  /** Fetches the app unless it was fetched before. */
  warm: () => void;
  /** Whether the app was fetched, be it ready or not. */
  isLoaded: () => boolean;
  /** Fetches the app again if it was fetched before. */
  reload: () => void;
  /** Delivers now, or as soon as the app is ready. */
  send: (message: HostMessage) => void;
  /** Moves the focus into the app or, while it is not ready, to the dialog. */
  focus: () => void;
}

/**
 * The dialog with the app's frame, and what is seen in it until the app is ready.
 * @param bff the only origin that is heard
 * @param onLoad called whenever the app is fetched
 */
export function createFrame(
  bff: string,
  url: () => string,
  onLoad: () => void,
  onMessage: (message: FrameMessage) => void,
  signal: AbortSignal,
): Frame {
  let frame: HTMLIFrameElement | undefined;
  let isReady = false;
  let timer: ReturnType<typeof setTimeout>;
  let held: HostMessage[] = [];

  const retry = element('button', {}, words.retry);
  const failure = element('div', { role: 'alert' }, words.failed, retry);
  const dialog = element('div', { role: 'dialog', tabindex: '-1' }, failure);

  const enter = (status: 'loading' | 'ready' | 'failed') => {
    clearTimeout(timer);
    isReady = status === 'ready';
    failure.hidden = status !== 'failed';
    dialog.className = status;
  };
  const load = () => {
    frame?.remove();
    // A new `src` on the old element would add to the page's history, and the back button would seem dead.
    frame = element('iframe', { title: words.title, src: url() });
    dialog.append(frame);
    enter('loading');
    timer = setTimeout(() => {
      enter('failed');
      emit('error', { code: 'frame_unavailable' });
    }, READY_TIMEOUT_MS);
    onLoad();
  };
  const channel = openChannel<FrameMessage, HostMessage>(
    { source: () => frame?.contentWindow, origin: bff, isMessage: isFrameMessage },
    (message) => {
      if (message.type === 'ready') {
        enter('ready');
        held.forEach(channel.post);
        held = [];
      }
      onMessage(message);
    },
    signal,
  );
  retry.addEventListener('click', () => {
    load();
    dialog.focus();
  });
  signal.addEventListener('abort', () => clearTimeout(timer));

  return {
    dialog,
    warm() {
      if (!frame) load();
    },
    isLoaded: () => !!frame,
    reload() {
      if (frame) load();
    },
    send(message) {
      if (isReady) channel.post(message);
      else held.push(message);
    },
    focus() {
      (isReady ? frame! : dialog).focus();
    },
  };
}
