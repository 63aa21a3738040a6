import { Component, createRef, type TargetedKeyboardEvent, type TargetedPointerEvent } from 'preact';
import type { ScreenshotSentences } from '../../../../shared/contract/site.ts';
import { arrowColor } from './draw.ts';
import type { Edits } from './edits.ts';
import {
  arrowPath,
  type Box,
  boxOf,
  type Part,
  type Point,
  type Shape,
  strokeOf,
  type Tool,
  wholeOf,
} from './shapes.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Drawing } from '../../ui/Icon.tsx';

interface EditorProps {
  s: ScreenshotSentences;
  picture: HTMLCanvasElement;
  edits: Edits;
  onCancel: () => void;
  onAttach: () => void;
}

const icons: Record<Tool | 'undo', string> = {
  crop: 'M7 2v15h15M2 7h15v15',
  hide: 'M4 6h16v12H4zM4 12l6-6M6 18L18 6M14 18l6-6',
  arrow: 'M5 19L19 5M9 5h10v10',
  undo: 'M9 5L4 10l5 5M4 10h10a5 5 0 010 10h-3',
};

const tools: readonly Tool[] = ['hide', 'arrow', 'crop'];
/** By the keys, whatever the direction of the language: the picture has none. */
const steps: Partial<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
const corners: readonly Part[] = [
  ['from', 'from'],
  ['to', 'from'],
  ['from', 'to'],
  ['to', 'to'],
];
const ends: readonly Part[] = [
  ['from', 'from'],
  ['to', 'to'],
];
/** On screen, in CSS pixels, as `leastPx`. */
const stepPx = 4;
/** What is smaller was a press. */
const leastPx = 4;

const outline = ({ x, y, width, height }: Box) => `M${x} ${y}h${width}v${height}h${-width}z`;

/** The picture, and what is drawn on it. */
export class Editor extends Component<EditorProps> {
  dialog = createRef<HTMLDialogElement>();
  canvas = createRef<HTMLCanvasElement>();
  stage = createRef<SVGSVGElement>();
  drawn: Box | null = null;

  override componentDidMount() {
    this.dialog.current!.showModal();
    this.focusTool();
    this.drawPicture();
  }

  override componentDidUpdate() {
    this.drawPicture();
  }

  focusTool() {
    this.dialog.current!.querySelector<HTMLElement>('[aria-pressed=true]')!.focus();
  }

  drawPicture() {
    const { picture, edits } = this.props;
    const view = edits.view.peek();
    if (this.drawn === view) return;
    this.drawn = view;
    const { x, y, width, height } = view;
    const canvas = this.canvas.current!;
    canvas.width = width;
    canvas.height = height;
    canvas.getContext('2d')!.drawImage(picture, x, y, width, height, 0, 0, width, height);
  }

  /** Pixels of the picture in one CSS pixel. */
  scale = () => 1 / this.stage.current!.getScreenCTM()!.a;

  at = ({ clientX, clientY }: PointerEvent): Point => {
    const matrix = this.stage.current!.getScreenCTM()!.inverse();
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix);
    return { x, y };
  };

  press = (event: TargetedPointerEvent<SVGSVGElement>) => {
    // A second finger draws nothing.
    if (event.button !== 0 || !event.isPrimary) return;
    const { index = '-1', part } = (event.target as SVGElement).dataset;
    event.currentTarget.setPointerCapture(event.pointerId);
    this.props.edits.press(this.at(event), Number(index), part ? (JSON.parse(part) as Part) : 'all');
  };

  onKey = (event: TargetedKeyboardEvent<SVGGElement>, index: number) => {
    const { edits } = this.props;
    const step = steps[event.key];
    if (step) {
      const size = this.scale() * stepPx;
      edits.nudge(index, event.shiftKey ? ['to', 'to'] : 'all', step[0] * size, step[1] * size);
    } else if (event.key === 'Delete' || event.key === 'Backspace') {
      edits.remove(index);
      this.focusTool();
    } else return;
    event.preventDefault();
  };

  choose(tool: Tool, isKey: boolean) {
    const { edits } = this.props;
    edits.choose(tool);
    if (!isKey) return;
    edits.addMiddle();
    // Once it is drawn.
    setTimeout(() => this.stage.current?.querySelector<SVGElement>('.selected')?.focus());
  }

  /** What a screen reader says of a shape. */
  nameOf(shape: Shape) {
    const { s, picture } = this.props;
    const { x, y, width, height } = boxOf(shape, picture);
    return `${shape.tool === 'hide' ? s.hidden : s[shape.tool]}, ${width} × ${height}, x ${x}, y ${y}`;
  }

  shape(shape: Shape, index: number) {
    const { picture, edits } = this.props;
    const { tool, from, to } = shape;
    const chosen = edits.tool.value;
    // The crop is shown while it is chosen, and beside it nothing is changed.
    if (tool === 'crop' && chosen !== tool) return null;
    const isSelected = edits.selected.value === index;
    const box = boxOf(shape, picture);
    const stroke = strokeOf(edits.kept.value);
    const path = tool === 'arrow' ? arrowPath(shape, stroke) : outline(box);
    const parts = tool === 'arrow' ? ends : corners;
    return (
      <g
        // Its place may change, and the focus stays.
        key={index}
        class={`${tool} ${isSelected ? 'selected' : ''} ${tool === chosen ? '' : 'still'}`}
        tabIndex={chosen === 'crop' && tool !== 'crop' ? -1 : 0}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- SVG has no other
        role="group"
        aria-label={this.nameOf(shape)}
        aria-describedby="shot-keys"
        onFocus={() => (edits.selected.value = index)}
        onKeyDown={(event) => this.onKey(event, index)}
      >
        {tool === 'arrow' && <path class="halo" d={path} stroke-width={stroke * 2} data-index={index} />}
        <path
          d={path}
          data-index={index}
          {...(tool === 'arrow' && { stroke: arrowColor, 'stroke-width': stroke })}
        />
        {isSelected &&
          tool === chosen &&
          parts.map((part) => (
            <path
              key={part}
              class="handle"
              // A line without length is a dot.
              d={`M${part[0] === 'from' ? from.x : to.x} ${part[1] === 'from' ? from.y : to.y}h0`}
              data-index={index}
              data-part={JSON.stringify(part)}
            />
          ))}
      </g>
    );
  }

  override render({ s, picture, edits, onCancel, onAttach }: EditorProps) {
    const { x, y, width, height } = edits.view.value;
    const shapes = edits.shapes.value;
    const chosen = edits.tool.value;
    const selected = shapes[edits.selected.value];
    const crop = chosen === 'crop' && shapes.find(({ tool }) => tool === chosen);
    return (
      <dialog
        ref={this.dialog}
        class="shot"
        aria-labelledby="shot-title"
        onKeyDown={(event) => {
          // Otherwise it would close the panel, too.
          if (event.key !== 'Escape') return;
          event.preventDefault();
          onCancel();
        }}
        onCancel={(event) => {
          event.preventDefault();
          onCancel();
        }}
      >
        <header class="bar">
          <h1 id="shot-title" class="bar-title">
            {s.title}
          </h1>
          <IconButton label={s.undo} icon={icons.undo} isOff={!edits.canUndo.value} onClick={edits.undo} />
        </header>
        <div class="shot-stage">
          <canvas ref={this.canvas} aria-hidden="true" />
          <svg
            ref={this.stage}
            viewBox={`${x} ${y} ${width} ${height}`}
            // Screen readers leave its keys to it.
            role="application"
            aria-label={s.title}
            onPointerDown={this.press}
            onPointerMove={(event) => edits.pull(this.at(event))}
            onPointerUp={() => edits.release(leastPx * this.scale())}
            onPointerCancel={() => edits.release(Infinity)}
          >
            {crop && <path class="beside" d={outline(wholeOf(picture)) + outline(boxOf(crop, picture))} />}
            {/* As in the file: arrows above what is hidden. */}
            {tools.map((tool) =>
              shapes.map((shape, index) => shape.tool === tool && this.shape(shape, index)),
            )}
          </svg>
        </div>
        <p class="hint" id="shot-hint">
          {s.hints[chosen]}
        </p>
        <p hidden id="shot-keys">
          {s.keys}
        </p>
        <output class="unseen">{selected && this.nameOf(selected)}</output>
        <div class="shot-row shot-tools">
          {tools.map((tool) => (
            <button
              key={tool}
              type="button"
              class="button quiet"
              aria-pressed={tool === chosen}
              aria-describedby="shot-hint"
              // Without a pointer, a shape to move stands in the middle.
              onClick={(event) => this.choose(tool, event.detail === 0)}
            >
              <Drawing path={icons[tool]} />
              {s[tool]}
            </button>
          ))}
        </div>
        <footer class="shot-row">
          <Button label={s.cancel} look="button quiet" onClick={onCancel} />
          <Button label={s.attach} onClick={onAttach} />
        </footer>
      </dialog>
    );
  }
}
