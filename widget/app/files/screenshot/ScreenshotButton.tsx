import type { ScreenshotSentences } from '../../../../shared/contract/site.ts';
import type { App, AppProps } from '../../app.ts';
import { importScript } from '../../browser/deferred.ts';
import { IconButton } from '../../ui/Button.tsx';

/*
 * The button that takes a screenshot of the page. The rest of it is a script of its own, which is fetched when the button
 * is pressed.
 */

/** Missing from TypeScript's DOM library. */
interface Asking extends DisplayMediaStreamOptions {
  preferCurrentTab?: boolean;
  selfBrowserSurface?: 'include' | 'exclude';
  surfaceSwitching?: 'include' | 'exclude';
  controller?: object;
}
declare class CaptureController {
  setFocusBehavior(behavior: 'no-focus-change'): void;
}
interface PolicyDocument {
  featurePolicy?: { allowsFeature: (name: string) => boolean };
}

/**
 * Whether this browser can share the page here: phones cannot, even those that have the function, nor pages without https,
 * nor pages that forbid it by a Permissions-Policy.
 */
export const canTakeScreenshot = (): boolean =>
  !!(navigator.mediaDevices as Partial<MediaDevices> | undefined)?.getDisplayMedia &&
  !/Android|Mobi/.test(navigator.userAgent) &&
  (document as PolicyDocument).featurePolicy?.allowsFeature('display-capture') !== false;

/** The browser's question. In the frame of a page it names the tab of that page. */
function ask(isEmbedded: boolean): Promise<MediaStream> {
  const options: Asking = {
    video: { cursor: 'never' } as MediaTrackConstraints,
    audio: false,
    preferCurrentTab: isEmbedded,
    selfBrowserSurface: isEmbedded ? 'include' : 'exclude',
    surfaceSwitching: 'exclude',
  };
  if ('CaptureController' in window) {
    const controller = new CaptureController();
    // Another tab may be chosen; the customer goes on in this one.
    controller.setFocusBehavior('no-focus-change');
    options.controller = controller;
  }
  return navigator.mediaDevices.getDisplayMedia(options);
}

/** The customer said no. Where their system did, they are told. */
const isRefusal = (error: unknown) =>
  error instanceof DOMException &&
  (error.name === 'AbortError' || (error.name === 'NotAllowedError' && !/system/i.test(error.message)));

const load = importScript(() => import('./screenshot.tsx'));
let isTaking = false;

/**
 * Takes a screenshot and lets the customer edit it. Null: there is none, because they changed their mind, or because it
 * failed, which they are told. To be called in the handler of a press: Safari asks nobody else.
 */
export async function takeScreenshot(
  app: Pick<App, 'session' | 'settings' | 'view' | 'width'>,
  s: ScreenshotSentences,
): Promise<File | null> {
  if (isTaking) return null;
  isTaking = true;
  app.view.said.value = null;
  let asked: Promise<MediaStream> | undefined;
  try {
    asked = ask(app.settings.peek().origin !== undefined);
    // Refused before the script has come.
    asked.catch(() => {});
    const { take } = await load();
    return await take(app, s, asked);
  } catch (error) {
    // Without its script nobody else ends it.
    void asked?.then((stream) => stream.getTracks().forEach((track) => track.stop())).catch(() => {});
    if (!isRefusal(error)) app.view.said.value = s.failed;
    return null;
  } finally {
    isTaking = false;
  }
}

interface ScreenshotButtonProps extends AppProps {
  s: ScreenshotSentences;
  onFile: (file: File) => void;
}

/** Nothing where no screenshot can be taken. */
export const ScreenshotButton = ({ app, s, onFile }: ScreenshotButtonProps) =>
  canTakeScreenshot() && (
    <IconButton
      look="attach-button screenshot-button"
      label={s.take}
      icon="M4 9V5h4M16 5h4v4M20 15v4h-4M8 19H4v-4M12 9a3 3 0 100 6a3 3 0 000-6"
      onClick={() => takeScreenshot(app, s).then((file) => file && onFile(file))}
    />
  );
