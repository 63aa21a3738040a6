import { action, computed, signal } from '@preact/signals';
import {
  boxOf,
  middleShape,
  moved,
  type Part,
  type Point,
  type Shape,
  type Size,
  type Tool,
  wholeOf,
} from './shapes.ts';

/** What is drawn on one picture, and what is being drawn. It does not know how that is shown. */
export function createEdits(picture: Size) {
  const shapes = signal<readonly Shape[]>([]);
  const tool = signal<Tool>('hide');
  const past = signal<readonly (readonly Shape[])[]>([]);
  /** The shape that has the focus, or was drawn last; -1: none. */
  const selected = signal(-1);
  /** The shape that keys moved last: one step back undoes them all. */
  let nudged: Shape | null = null;
  let drag: { index: number; part: Part; shape: Shape; start: Point; before: readonly Shape[] } | null = null;

  const cropped = () => shapes.value.find((shape) => shape.tool === 'crop');
  /** The part of the picture that is kept. */
  const kept = computed(() => {
    const crop = cropped();
    return crop ? boxOf(crop, picture) : wholeOf(picture);
  });
  /** The part of the picture that is on screen: to crop it, all. */
  const view = computed(() => (tool.value === 'crop' ? wholeOf(picture) : kept.value));
  const put = (index: number, shape: Shape) => {
    shapes.value = shapes.peek().map((each, place) => (place === index ? shape : each));
  };
  const remember = (before: readonly Shape[]) => {
    past.value = [...past.peek(), before];
    nudged = null;
  };
  /** Adds a shape; a crop replaces the last one. */
  const add = (shape: Shape) => {
    const others = shapes.peek().filter((each) => shape.tool !== 'crop' || each.tool !== 'crop');
    shapes.value = [...others, shape];
    selected.value = others.length;
  };

  return {
    shapes,
    tool,
    kept,
    view,
    selected,
    canUndo: computed(() => past.value.length > 0),
    choose: action((next: Tool) => {
      tool.value = next;
      selected.value = next === 'crop' ? shapes.peek().findIndex((each) => each.tool === 'crop') : -1;
    }),
    /** For those who draw without a pointer: adds a shape, or selects the crop that is there. */
    addMiddle: action(() => {
      const chosen = tool.peek();
      if (chosen === 'crop' && selected.peek() >= 0) return;
      remember(shapes.peek());
      add(middleShape(chosen, view.peek()));
    }),
    /** A pointer was pressed: on a part of a shape, or beside all, where a new one begins. */
    press: action((start: Point, index: number, part: Part) => {
      const before = shapes.peek();
      if (index < 0) {
        add({ tool: tool.peek(), from: start, to: start });
        drag = { index: selected.peek(), part: ['to', 'to'], shape: shapes.peek().at(-1)!, start, before };
      } else {
        selected.value = index;
        drag = { index, part, shape: before[index]!, start, before };
      }
    }),
    pull(point: Point) {
      if (!drag) return;
      const { index, part, shape, start } = drag;
      put(index, moved(shape, part, point.x - start.x, point.y - start.y, picture));
    },
    /** The pointer was released. What is smaller than `least` was a press, and no shape. */
    release: action((least: number) => {
      if (!drag) return;
      const { index, before } = drag;
      drag = null;
      const { tool: kind, from, to } = shapes.peek()[index]!;
      const [width, height] = [Math.abs(to.x - from.x), Math.abs(to.y - from.y)];
      const isSeen = kind === 'arrow' ? Math.hypot(width, height) >= least : Math.min(width, height) >= least;
      if (isSeen) return remember(before);
      shapes.value = before;
      selected.value = -1;
    }),
    /** Moves a shape by keys, or one corner of it. */
    nudge: action((index: number, part: Part, dx: number, dy: number) => {
      const shape = shapes.peek()[index]!;
      if (shape !== nudged) remember(shapes.peek());
      nudged = moved(shape, part, dx, dy, picture);
      put(index, nudged);
    }),
    remove: action((index: number) => {
      remember(shapes.peek());
      shapes.value = shapes.peek().filter((_, place) => place !== index);
      selected.value = -1;
    }),
    undo: action(() => {
      const before = past.peek().at(-1);
      if (!before) return;
      past.value = past.peek().slice(0, -1);
      shapes.value = before;
      selected.value = -1;
      nudged = null;
    }),
  };
}

export type Edits = ReturnType<typeof createEdits>;
