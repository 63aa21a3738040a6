import { openChannel } from '../bridge/channel.ts';
import type { HostMessage } from '../bridge/messages.ts';
import type { Settings } from './api.ts';
import { element } from './dom.ts';
import { emit } from './events.ts';
import { frameSettings, frameUrl } from './settings.ts';
import type { Words } from './words.ts';

const READY_TIMEOUT_MS = 10_000;

export interface Frame {
  box: HTMLElement;
  /** Fetches the app unless it was fetched before. */
  warm: () => void;
  /** Whether the app was fetched, be it ready or not. */
  isLoaded: () => boolean;
  /** Fetches the app again if it was fetched before. */
  reload: () => void;
  /** Delivers now, or as soon as the app is ready. */
  send: (message: HostMessage) => void;
  /** Tells the settings as they stand, and the page that the customer is on. */
  update: () => void;
  /** Moves the focus into the app or, while it is not ready, to the box. */
  focus: () => void;
}

/** What a frame says, as far as the core cares: everything with a payload is the guest's to check. */
export interface Said {
  type?: unknown;
}

/** What can be asked for its type. */
const isSaid = (value: unknown): value is Said => value != null;

/**
 * @param bff the only origin that is heard
 * @param box holds the app's frame, and what is seen in its stead until the app is ready
 * @param settings as they stand at this place
 * @param onLoad called whenever the app is fetched
 */
export function createFrame(
  { bff, words }: { bff: string; words: Words },
  box: HTMLElement,
  settings: () => Settings,
  onLoad: (frame: Frame) => void,
  onMessage: (message: Said, frame: Frame) => void,
  signal: AbortSignal,
): Frame {
  let iframe: HTMLIFrameElement | undefined;
  let isReady = false;
  let timer: ReturnType<typeof setTimeout>;
  let held: HostMessage[] = [];

  const failure = element('div', { role: 'alert', dir: 'auto' });

  const enter = (status: 'loading' | 'ready' | 'failed') => {
    clearTimeout(timer);
    isReady = status === 'ready';
    failure.textContent = '';
    box.className = status;
  };
  const load = () => {
    // A new `src` on the old element would add to the page's history, and the back button would seem dead.
    iframe = element('iframe', { title: words.title, src: frameUrl(bff, settings()) });
    box.replaceChildren(failure, iframe);
    enter('loading');
    timer = setTimeout(() => {
      // Taken out of the page in the meantime.
      if (!box.isConnected) return;
      enter('failed');
      const retry = element('button', {}, words.retry);
      retry.addEventListener('click', () => {
        load();
        box.focus();
      });
      failure.append(words.failed, retry);
      emit('error', { code: 'frame_unavailable' });
    }, READY_TIMEOUT_MS);
    onLoad(frame);
  };
  const channel = openChannel<Said, HostMessage>(
    { source: () => iframe?.contentWindow, origin: bff, isMessage: isSaid },
    (message) => {
      if (message.type === 'ready') {
        enter('ready');
        held.forEach(channel.post);
        held = [];
      }
      onMessage(message, frame);
    },
    signal,
  );

  signal.addEventListener('abort', () => clearTimeout(timer));

  const frame: Frame = {
    box,
    warm() {
      if (!iframe) load();
    },
    isLoaded: () => !!iframe,
    reload() {
      if (iframe) load();
    },
    send(message) {
      if (isReady) channel.post(message);
      else held.push(message);
    },
    update: () => frame.send({ type: 'update', settings: frameSettings(settings()) }),
    focus() {
      (isReady ? iframe! : box).focus();
    },
  };
  return frame;
}
