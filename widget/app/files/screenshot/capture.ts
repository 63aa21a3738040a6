import { openChannel, type UncheckedMessage } from '../../../bridge/channel.ts';
import type { FrameMessage } from '../../../bridge/messages.ts';
import { canvasOf } from './draw.ts';

/*
 * Takes one picture of what the customer shares, with the panel out of the way. It does not know what becomes of the
 * picture.
 */

/** For browsers that do not say when a picture was taken, and for a loader that knows no `away`. */
const settleMs = 600;
/** A stream without a picture. */
const longestMs = 5_000;

const pause = (ms: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, ms);
  });

/** The panel on the host page; `origin`: of that page, without which the app has no panel. */
export function openPanel(origin: string | undefined, signal: AbortSignal) {
  let onDrawn = () => {};
  const onMessage = ({ type }: UncheckedMessage) => type === 'away' && onDrawn();
  const post: ((message: FrameMessage) => void) | null =
    origin === undefined ? null : openChannel(() => window.parent, origin, onMessage, signal);
  return {
    /** Resolves when the page is drawn without the panel, as far as that can be known. */
    async hide() {
      if (!post) return;
      const drawn = new Promise<void>((resolve) => {
        onDrawn = resolve;
      });
      post({ type: 'away', away: true });
      await Promise.race([drawn, pause(settleMs)]);
    },
    show: () => post?.({ type: 'away', away: false }),
    widen: (wide: boolean) => post?.({ type: 'wide', wide }),
  };
}

/** The newest picture of the stream that was taken after this call. */
export async function grab(stream: MediaStream): Promise<HTMLCanvasElement> {
  const since = performance.now();
  const video = document.createElement('video');
  video.muted = video.playsInline = true;
  video.srcObject = stream;
  await Promise.race([video.play(), pause(longestMs)]);
  await Promise.race([
    pause(settleMs),
    new Promise<void>((resolve) => {
      const look: VideoFrameRequestCallback = (_now, { captureTime = 0 }) => {
        if (captureTime > since) resolve();
        else video.requestVideoFrameCallback(look);
      };
      // Missing in older Firefox.
      (video as Partial<HTMLVideoElement>).requestVideoFrameCallback?.call(video, look);
    }),
  ]);
  const { videoWidth, videoHeight } = video;
  if (!videoWidth) throw new Error('the stream has no picture');
  const { canvas, context } = canvasOf(videoWidth, videoHeight);
  context.drawImage(video, 0, 0);
  video.srcObject = null;
  return canvas;
}
