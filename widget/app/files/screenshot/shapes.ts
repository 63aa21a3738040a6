/*
 * What a customer draws on a screenshot, in pixels of the picture: whatever the size on screen, the zoom of the page or
 * the density of the screen. It knows neither views nor pixels.
 */

export interface Point {
  x: number;
  y: number;
}

export type Tool = 'crop' | 'hide' | 'arrow';

/** Opposite corners of an area or, of an arrow, its end and its tip. */
export interface Shape {
  tool: Tool;
  from: Point;
  to: Point;
}

export interface Size {
  width: number;
  height: number;
}

export interface Box extends Point, Size {}

/** What of a shape is moved: all of it, or one corner, by the points that its two coordinates come from. */
export type Part = 'all' | readonly [x: 'from' | 'to', y: 'from' | 'to'];

/** A longest side beyond this adds bytes, and nothing that one would see. */
export const longestSide = 2_560;

const clamp = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most);

export const wholeOf = ({ width, height }: Size): Box => ({ x: 0, y: 0, width, height });

/** The pixels that a shape touches: a pixel that is covered in part counts whole. */
export function boxOf({ from, to }: Shape, picture: Size): Box {
  const x = clamp(Math.floor(Math.min(from.x, to.x)), 0, picture.width - 1);
  const y = clamp(Math.floor(Math.min(from.y, to.y)), 0, picture.height - 1);
  return {
    x,
    y,
    width: clamp(Math.ceil(Math.max(from.x, to.x)), x + 1, picture.width) - x,
    height: clamp(Math.ceil(Math.max(from.y, to.y)), y + 1, picture.height) - y,
  };
}

/** The shape after a part of it was moved by `dx` and `dy`. It stays on the picture. */
export function moved(shape: Shape, part: Part, dx: number, dy: number, { width, height }: Size): Shape {
  const { from, to } = shape;
  if (part !== 'all') {
    const [x, y] = part;
    const next = { ...shape, from: { ...from }, to: { ...to } };
    next[x].x = clamp(shape[x].x + dx, 0, width);
    next[y].y = clamp(shape[y].y + dy, 0, height);
    return next;
  }
  const by = (step: number, a: number, b: number, most: number) =>
    clamp(step, -Math.min(a, b), most - Math.max(a, b));
  const x = by(dx, from.x, to.x, width);
  const y = by(dy, from.y, to.y, height);
  return { ...shape, from: { x: from.x + x, y: from.y + y }, to: { x: to.x + x, y: to.y + y } };
}

/** A shape for those who draw without a pointer: in the middle of what is on screen. */
export function middleShape(tool: Tool, { x, y, width, height }: Box): Shape {
  // Of an area in the middle, a third of what is seen; a crop leaves a margin.
  const margin = tool === 'crop' ? 0.1 : 0.35;
  return {
    tool,
    from: { x: x + width * margin, y: y + height * margin },
    to: { x: x + width * (1 - margin), y: y + height * (1 - margin) },
  };
}

/** The thickness of arrows: seen when the whole picture is shown in a message. */
export const strokeOf = ({ width, height }: Size): number => Math.max(3, Math.max(width, height) / 160);

/** The path of an arrow, as in SVG. */
export function arrowPath({ from, to }: Shape, stroke: number): string {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const angle = Math.atan2(to.y - from.y, to.x - from.x);
  const head = Math.min(stroke * 5, length);
  const side = (turn: number) =>
    `${to.x - head * Math.cos(angle + turn)} ${to.y - head * Math.sin(angle + turn)}`;
  return `M${from.x} ${from.y}L${to.x} ${to.y}M${side(0.5)}L${to.x} ${to.y}L${side(-0.5)}`;
}

/** The size of the file's picture. */
export function sizeOf({ width, height }: Size): Size {
  const scale = Math.min(1, longestSide / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
