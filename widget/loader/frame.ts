import { openChannel, type UncheckedMessage } from '../bridge/channel.ts';
import type { HostMessage } from '../bridge/messages.ts';
import type { Settings } from './api.ts';
import { element } from './dom.ts';
import { emit } from './events.ts';
import { frameSettings, frameUrl } from './settings.ts';
import type { Words } from './words.ts';

const READY_TIMEOUT_MS = 10_000;

export interface Frame {
  box: HTMLElement;
  /** Loads the app, unless that has begun. In a task of its own, since it takes long: what was pressed is painted first. */
  warm: () => void;
  /** Loads the app again, if it was loaded before. */
  reload: () => void;
  /** Sends the message; buffers it until the app is ready. */
  send: (message: HostMessage) => void;
  /** Sends the current settings and the address of the page. */
  update: () => void;
  /** Focuses the app or, until it is ready, the box. */
  focus: () => void;
}

/**
 * Creates the frame of the app in `box`, not loaded yet.
 * @param bff its address; only messages of its origin are accepted
 * @param box shows the frame, or the loading and failure states
 * @param settings returns the current settings of this frame
 * @param onLoad called each time loading begins
 * @param onMessage gets every message; only `type` has been read
 */
export function createFrame(
  { bff, words }: { bff: string; words: Words },
  box: HTMLElement,
  settings: () => Settings,
  onLoad: (frame: Frame) => void,
  onMessage: (message: UncheckedMessage, frame: Frame) => void,
  signal: AbortSignal,
): Frame {
  let iframe: HTMLIFrameElement | undefined;
  let timer: ReturnType<typeof setTimeout>;
  let buffered: HostMessage[] = [];

  const failure = element('div', { role: 'alert' });

  const isReady = () => box.className === 'ready';
  const enter = (status: 'loading' | 'ready') => {
    clearTimeout(timer);
    failure.replaceChildren();
    box.className = status;
  };
  const load = () => {
    // A new `src` on the old element would add an entry to the page's history.
    iframe = element('iframe', {
      title: words.title,
      // For a screenshot of the page, which the browser asks the customer about.
      allow: 'display-capture',
      src: frameUrl(bff, settings()),
    });
    box.replaceChildren(failure, iframe);
    enter('loading');
    const waitMs = navigator.onLine ? READY_TIMEOUT_MS : 0;
    timer = setTimeout(() => {
      // Removed from the page, or destroyed: nothing has failed.
      if (!box.isConnected) return;
      const retry = element('button', {}, words.retry);
      retry.addEventListener('click', () => {
        load();
        box.focus();
      });
      // Beside a form that is painted, in which the customer may be writing. All the rest may still come.
      failure.replaceChildren(words.failed, retry);
      emit('error', { code: 'frame_unavailable' });
    }, waitMs);
    onLoad(frame);
  };
  const post: (message: HostMessage) => void = openChannel(
    () => iframe?.contentWindow,
    bff,
    (message) => {
      // Shown from its first paint on, before the scripts have run.
      if (message.type === 'drawn') box.className = message.type;
      if (message.type === 'ready') {
        enter('ready');
        buffered.forEach(post);
        buffered = [];
      }
      onMessage(message, frame);
    },
    signal,
  );

  // The network is back. A form that is painted stays, since the customer may be writing in it.
  addEventListener('online', () => box.querySelector('.loading button') && load(), { signal });

  const frame: Frame = {
    box,
    warm: () => setTimeout(() => iframe || load()),
    reload: () => iframe && load(),
    send(message) {
      if (isReady()) post(message);
      else buffered.push(message);
    },
    update: () => frame.send({ type: 'update', settings: frameSettings(settings()) }),
    focus() {
      (isReady() ? iframe! : box).focus();
    },
  };
  return frame;
}
