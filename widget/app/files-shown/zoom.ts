/** How a picture is drawn on its stage: its size, and how far it is moved from the centre, in CSS pixels. */
export interface Zoom {
  /** 1: the whole picture is in sight. */
  scale: number;
  x: number;
  y: number;
}

interface Point {
  x: number;
  y: number;
}

interface Size {
  width: number;
  height: number;
}

export const whole: Zoom = { scale: 1, x: 0, y: 0 };
const maxScale = 8;

const between = (least: number, value: number, most: number) => Math.min(most, Math.max(least, value));

/** The picture never leaves the stage. */
function keepIn({ scale, x, y }: Zoom, { width, height }: Size): Zoom {
  const reach = (length: number) => ((scale - 1) * length) / 2;
  return {
    scale,
    x: between(-reach(width), x, reach(width)),
    y: between(-reach(height), y, reach(height)),
  };
}

/** Larger or smaller by `factor`, where `at`, from the centre of the stage, stays in its place. */
export function zoomBy(zoom: Zoom, factor: number, at: Point, stage: Size): Zoom {
  const scale = between(1, zoom.scale * factor, maxScale);
  const by = scale / zoom.scale;
  return keepIn({ scale, x: at.x - (at.x - zoom.x) * by, y: at.y - (at.y - zoom.y) * by }, stage);
}

export const moveBy = ({ scale, x, y }: Zoom, by: Point, stage: Size): Zoom =>
  keepIn({ scale, x: x + by.x, y: y + by.y }, stage);
