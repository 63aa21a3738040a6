import {
  Component,
  type TargetedKeyboardEvent,
  type TargetedPointerEvent,
  type TargetedWheelEvent,
} from 'preact';
import type { MessageFile } from '../../../shared/contract/files.ts';
import type { AttachedSentences } from '../../../shared/contract/site.ts';
import type { AppProps } from '../app.ts';
import { fill } from '../i18n/words.ts';
import { Loading } from './Loading.tsx';
import { Button, IconButton } from '../ui/Button.tsx';
import { Drawing } from '../ui/Icon.tsx';

interface ViewerProps extends AppProps {
  sentences: AttachedSentences;
  /** Of the conversation, oldest first. */
  pictures: readonly MessageFile[];
  /** The address of the one to begin with. */
  first: string;
  onClose: () => void;
}

interface State {
  /** The address of the picture on screen. */
  url: string;
  zoom: Zoom;
}

/** How much larger a double press shows it, and how much a key. */
const pressFactor = 2.5;
const keyFactor = 1.5;
/** CSS pixels that an arrow key moves a picture that is larger than its stage. */
const keyPx = 60;
/** A finger that moves less has pressed; one that moves further, to the side, wants the next picture. */
const pressPx = 10;
const swipePx = 50;
const doubleMs = 350;

const shapes = {
  close: 'M6 6l12 12M18 6L6 18',
  open: 'M9 5H5v14h14v-4M13 5h6v6M19 5l-9 9',
  previous: 'M15 5l-7 7 7 7',
  next: 'M9 5l7 7-7 7',
  zoomIn: 'M11 4a7 7 0 100 14a7 7 0 000-14M16 16l4.5 4.5M8 11h6M11 8v6',
  zoomOut: 'M11 4a7 7 0 100 14a7 7 0 000-14M16 16l4.5 4.5M8 11h6',
};

/** A picture as large as the panel, with those before and after it. The browser keeps the focus in the dialog. */
export class Viewer extends Component<ViewerProps, State> {
  override state: State = { url: this.props.first, zoom: whole };
  #dialog = { current: null as HTMLDialogElement | null };
  #stage = { current: null as HTMLDivElement | null };
  /** Fingers on the stage, or the pressed mouse, by their ids. */
  #pointers = new Map<number, { x: number; y: number }>();
  /** Where the first finger came down; null once there were two. */
  #begun: { x: number; y: number } | null = null;
  #lastPress = { x: 0, y: 0, at: -Infinity };

  override componentDidMount() {
    this.#dialog.current!.showModal();
  }

  override componentDidUpdate() {
    // It was removed from the conversation, or has another address since it was sent.
    if (this.#index() < 0) this.#close();
  }

  #index = () => this.props.pictures.findIndex(({ url }) => url === this.state.url);

  #close() {
    this.#dialog.current!.close();
  }

  #step(by: number) {
    const next = this.props.pictures[this.#index() + by];
    if (next) this.setState({ url: next.url, zoom: whole });
  }

  #zoomBy(factor: number, at = { x: 0, y: 0 }) {
    const stage = this.#stage.current!.getBoundingClientRect();
    this.setState(({ zoom }) => ({ zoom: zoomBy(zoom, factor, at, stage) }));
  }

  #moveBy(x: number, y: number) {
    const stage = this.#stage.current!.getBoundingClientRect();
    this.setState(({ zoom }) => ({ zoom: moveBy(zoom, { x, y }, stage) }));
  }

  #toggle(at?: { x: number; y: number }) {
    if (this.state.zoom.scale > 1) this.setState({ zoom: whole });
    else this.#zoomBy(pressFactor, at);
  }

  #isReversed = () => getComputedStyle(this.#dialog.current!).direction === 'rtl';

  #onKey(event: TargetedKeyboardEvent<HTMLDialogElement>) {
    const { key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [x, y] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key] ?? [];
    // Only this closes, not the panel.
    if (key === 'Escape') this.#close();
    else if (key === '+' || key === '=') this.#zoomBy(keyFactor);
    else if (key === '-') this.#zoomBy(1 / keyFactor);
    else if (key === '0') this.setState({ zoom: whole });
    else if (x === undefined || y === undefined) return;
    else if (this.state.zoom.scale > 1) this.#moveBy(-x * keyPx, -y * keyPx);
    else if (x) this.#step(this.#isReversed() ? -x : x);
    event.preventDefault();
  }

  /** From the centre of the stage. */
  #place({ clientX, clientY }: { clientX: number; clientY: number }) {
    const { left, top, width, height } = this.#stage.current!.getBoundingClientRect();
    return { x: clientX - left - width / 2, y: clientY - top - height / 2 };
  }

  #onWheel(event: TargetedWheelEvent<HTMLDivElement>) {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : 1;
    this.#zoomBy(Math.exp(-event.deltaY * lines * 0.004), this.#place(event));
  }

  #onDown(event: TargetedPointerEvent<HTMLDivElement>) {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    this.#begun = this.#pointers.size === 0 ? this.#place(event) : null;
    this.#pointers.set(event.pointerId, this.#place(event));
  }

  #onMove(event: TargetedPointerEvent<HTMLDivElement>) {
    const before = this.#pointers.get(event.pointerId);
    if (!before) return;
    const now = this.#place(event);
    const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1];
    this.#pointers.set(event.pointerId, now);
    if (other) {
      const apart = (place: typeof now) => Math.hypot(place.x - other.x, place.y - other.y) || 1;
      this.#zoomBy(apart(now) / apart(before), { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
    }
    // Two fingers move it by half of what each does.
    const share = other ? 2 : 1;
    this.#moveBy((now.x - before.x) / share, (now.y - before.y) / share);
  }

  #onUp(event: TargetedPointerEvent<HTMLDivElement>) {
    const begun = this.#begun;
    if (!this.#pointers.delete(event.pointerId) || !begun) return;
    this.#begun = null;
    const at = this.#place(event);
    const [x, y] = [at.x - begun.x, at.y - begun.y];
    if (Math.hypot(x, y) < pressPx) this.#onPress(at, event.timeStamp);
    else if (this.state.zoom.scale === 1 && event.pointerType !== 'mouse' && Math.abs(x) > swipePx)
      this.#step(x < 0 === this.#isReversed() ? -1 : 1);
  }

  #onPress(at: { x: number; y: number }, time: number) {
    const last = this.#lastPress;
    const isDouble = time - last.at < doubleMs && Math.hypot(at.x - last.x, at.y - last.y) < 3 * pressPx;
    this.#lastPress = { ...at, at: isDouble ? -Infinity : time };
    if (isDouble) this.#toggle(at);
  }

  override render({ app, sentences, pictures, onClose }: ViewerProps, { zoom }: State) {
    const { s } = app;
    const index = this.#index();
    const file = pictures[index];
    if (!file) return <dialog ref={this.#dialog} onClose={onClose} />;
    const { name, url } = file;
    const isLarge = zoom.scale > 1;
    const button = (shape: keyof typeof shapes, label: string, run: () => void, isOff = false) => (
      <IconButton look={`viewer-${shape}`} label={label} icon={shapes[shape]} isOff={isOff} onClick={run} />
    );
    return (
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys of what is in it
      <dialog
        ref={this.#dialog}
        class="viewer"
        aria-label={name}
        onKeyDown={(event) => this.#onKey(event)}
        // By its button, or as the browser closes dialogs, such as by the back button of a phone.
        onClose={onClose}
      >
        <header>
          {/* Announced at each step. */}
          <output class="viewer-title">
            <span dir="auto">{name}</span>
            {pictures.length > 1 && (
              <small>
                {fill(sentences.place, { number: String(index + 1), count: String(pictures.length) })}
              </small>
            )}
          </output>
          {button(isLarge ? 'zoomOut' : 'zoomIn', isLarge ? sentences.zoomOut : sentences.zoomIn, () =>
            this.#toggle(),
          )}
          {!url.startsWith('blob:') && (
            <a
              class="icon-button"
              href={url}
              aria-label={sentences.open}
              title={sentences.open}
              target="_blank"
              rel="noreferrer noopener"
            >
              <Drawing path={shapes.open} />
            </a>
          )}
          {button('close', s.close, () => this.#close())}
        </header>
        <div
          ref={this.#stage}
          class={isLarge ? 'viewer-stage large' : 'viewer-stage'}
          onWheel={(event) => this.#onWheel(event)}
          onPointerDown={(event) => this.#onDown(event)}
          onPointerMove={(event) => this.#onMove(event)}
          onPointerUp={(event) => this.#onUp(event)}
          onPointerCancel={({ pointerId }) => this.#pointers.delete(pointerId)}
        >
          <div style={{ transform: `translate(${zoom.x}px, ${zoom.y}px) scale(${zoom.scale})` }}>
            <Loading key={url} url={url} name={name}>
              {(image, state, again) =>
                image || (
                  <div class="viewer-fault">
                    <p>{state === 'removed' ? sentences.removed : s.loadFailed}</p>
                    {state === 'failed' && <Button label={s.tryAgain} look="link" onClick={again} />}
                  </div>
                )
              }
            </Loading>
          </div>
        </div>
        {pictures.length > 1 && (
          <>
            {button('previous', sentences.previous, () => this.#step(-1), index === 0)}
            {button('next', sentences.next, () => this.#step(1), index === pictures.length - 1)}
          </>
        )}
      </dialog>
    );
  }
}

/** How a picture is drawn on its stage: its size, and how far it is moved from the centre, in CSS pixels. */
interface Zoom {
  /** 1: the whole picture is in sight. */
  scale: number;
  x: number;
  y: number;
}

interface Point {
  x: number;
  y: number;
}

export const whole: Zoom = { scale: 1, x: 0, y: 0 };
const maxScale = 8;

const between = (least: number, value: number, most: number) => Math.min(most, Math.max(least, value));

/** The picture never leaves the stage. */
function keepIn({ scale, x, y }: Zoom, { width, height }: Pick<DOMRect, 'width' | 'height'>): Zoom {
  const reach = (length: number) => ((scale - 1) * length) / 2;
  return {
    scale,
    x: between(-reach(width), x, reach(width)),
    y: between(-reach(height), y, reach(height)),
  };
}

/** Larger or smaller by `factor`, where `at`, from the centre of the stage, stays in its place. */
export function zoomBy(
  zoom: Zoom,
  factor: number,
  at: Point,
  stage: Pick<DOMRect, 'width' | 'height'>,
): Zoom {
  const scale = between(1, zoom.scale * factor, maxScale);
  const by = scale / zoom.scale;
  return keepIn({ scale, x: at.x - (at.x - zoom.x) * by, y: at.y - (at.y - zoom.y) * by }, stage);
}

export const moveBy = ({ scale, x, y }: Zoom, by: Point, stage: Pick<DOMRect, 'width' | 'height'>): Zoom =>
  keepIn({ scale, x: x + by.x, y: y + by.y }, stage);
