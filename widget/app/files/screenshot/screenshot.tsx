import { effect } from '@preact/signals';
import { render } from 'preact';
import type { ScreenshotSentences } from '../../../../shared/contract/site.ts';
import type { App } from '../../app.ts';
import { adoptStyles } from '../../browser/page.ts';
import { grab, openPanel } from './capture.ts';
import { drawAll, fileOf } from './draw.ts';
import { createEdits } from './edits.ts';
import { Editor } from './Editor.tsx';
import css from './screenshot.css?inline';

adoptStyles(css);

type Needed = Pick<App, 'session' | 'settings' | 'width'>;

/** Lets the customer edit the picture. Null: they have changed their mind, or they are another customer now. */
export async function edit(
  { session }: Pick<App, 'session'>,
  s: ScreenshotSentences,
  picture: HTMLCanvasElement,
): Promise<File | null> {
  const place = document.createElement('div');
  const opener = document.activeElement as HTMLElement | null;
  document.body.append(place);
  const edits = createEdits(picture);
  let stop = () => {};
  const isWanted = await new Promise<boolean>((resolve) => {
    // SECURITY: the picture is of a page of the customer who took it.
    const owner = session.owner.peek();
    stop = effect(() => {
      if (session.isWaiting.value || session.owner.value !== owner) resolve(false);
    });
    render(
      <Editor
        s={s}
        picture={picture}
        edits={edits}
        onCancel={() => resolve(false)}
        onAttach={() => resolve(true)}
      />,
      place,
    );
  });
  stop();
  render(null, place);
  place.remove();
  opener?.focus();
  return isWanted ? fileOf(drawAll(picture, edits.shapes.peek()), new Date()) : null;
}

/**
 * Takes a picture of what the customer shares, and lets them edit it. `asked`: the answer to the browser's question, which
 * is on screen. Sharing ends at once.
 */
export async function take(
  app: Needed,
  s: ScreenshotSentences,
  asked: Promise<MediaStream>,
): Promise<File | null> {
  const lifetime = new AbortController();
  const panel = openPanel(app.settings.peek().origin, lifetime.signal);
  try {
    let picture: HTMLCanvasElement;
    // Hidden while the browser asks: it has the time to draw the page without it.
    void panel.hide();
    try {
      const stream = await asked;
      try {
        await panel.hide();
        picture = await grab(stream);
      } finally {
        stream.getTracks().forEach((track) => track.stop());
      }
    } finally {
      panel.show();
    }
    panel.widen(true);
    return await edit(app, s, picture);
  } finally {
    panel.widen(app.width.isWide.peek());
    lifetime.abort();
  }
}
