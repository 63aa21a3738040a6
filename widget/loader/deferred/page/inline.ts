import { readFields, settingKinds } from '../../../bridge/fields.ts';
import type { FrameMessage } from '../../../bridge/messages.ts';
import type { Settings } from '../../api.ts';
import { element, safeDocument } from '../../dom.ts';
import type { Frame } from '../../frame.ts';
import type { Core } from '../../deferred.ts';
import { inlineName } from '../../inline.ts';
import css from './inline.css?inline';

/**
 * The app inside `<deskside-widget>` elements. Each has its own lifetime, which ends at the latest with the widget's.
 */
export function createInline(core: Core, check: (where: string, dataset: object) => void) {
  const { view, frames, signal } = core;
  const lives = new Map<Element, AbortController>();
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);

  function mount(place: HTMLElement) {
    lives.get(place)?.abort();
    // Removed elements send no event, so they are cleaned up here.
    lives.forEach((life, each) => each.isConnected || life.abort());
    const life = new AbortController();
    lives.set(place, life);
    check('<deskside-widget>', place.dataset);
    const overrides: Settings & { inline: true } = {
      ...readFields(settingKinds, place.dataset),
      inline: true,
    };
    const box = element('div', { tabindex: '-1' });
    box.style.setProperty('--color', overrides.color ?? core.settings.color ?? '');
    const shadow = place.shadowRoot ?? place.attachShadow({ mode: 'open' });
    shadow.adoptedStyleSheets = [...view.shadow.adoptedStyleSheets, sheet];
    shadow.replaceChildren(box);
    const frame = core.addFrame(box, overrides, life.signal);
    life.signal.addEventListener('abort', () => {
      lives.delete(place);
      frames.splice(frames.indexOf(frame), 1);
      box.remove();
    });
    frame.warm();
  }

  safeDocument.addEventListener(inlineName, ({ target }) => mount(target as HTMLElement), {
    capture: true,
    signal,
  });
  signal.addEventListener('abort', () => lives.forEach((life) => life.abort()));
  safeDocument.querySelectorAll<HTMLElement>(inlineName).forEach(mount);
  return ({ type }: FrameMessage, frame: Frame) => {
    // At every `ready`: the frame loads again when the page moves the element.
    if (type === 'ready' && frame !== frames[0]) frame.send({ type: 'open' });
  };
}
