import { arrowPath, boxOf, type Shape, sizeOf, strokeOf, wholeOf } from './shapes.ts';

/* Makes the file that is attached of a picture and what was drawn on it. Only its pixels know what was drawn. */

/** A larger PNG is sent as a JPEG. */
const maxPngBytes = 2_000_000;

export const arrowColor = '#e0142e';

/** A canvas of that size, whose picture has no transparent pixel. */
export function canvasOf(width: number, height: number) {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  return { canvas, context: canvas.getContext('2d', { alpha: false })! };
}

/** The picture as the agent gets it. */
export function drawAll(picture: HTMLCanvasElement, shapes: readonly Shape[]): HTMLCanvasElement {
  const whole = canvasOf(picture.width, picture.height);
  whole.context.drawImage(picture, 0, 0);
  const of = (tool: Shape['tool']) => shapes.filter((shape) => shape.tool === tool);
  // SECURITY: whole pixels in one colour, before the picture is made smaller: no pixel of the file is mixed of hidden ones.
  whole.context.fillStyle = '#000';
  for (const shape of of('hide')) {
    const { x, y, width, height } = boxOf(shape, picture);
    whole.context.fillRect(x, y, width, height);
  }
  const [crop] = of('crop');
  const kept = crop ? boxOf(crop, picture) : wholeOf(picture);
  const stroke = strokeOf(kept);
  whole.context.lineCap = whole.context.lineJoin = 'round';
  for (const [color, width] of [
    ['#fff', stroke * 2],
    [arrowColor, stroke],
  ] as const)
    for (const shape of of('arrow')) {
      whole.context.strokeStyle = color;
      whole.context.lineWidth = width;
      whole.context.stroke(new Path2D(arrowPath(shape, stroke)));
    }
  const { width, height } = sizeOf(kept);
  const { canvas, context } = canvasOf(width, height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(whole.canvas, kept.x, kept.y, kept.width, kept.height, 0, 0, width, height);
  return canvas;
}

/** `Screenshot 2026-11-27 20.34`, in the customer's time. */
export function nameAt(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `Screenshot ${day} ${two(date.getHours())}.${two(date.getMinutes())}`;
}

/** The canvas as a file. */
export async function fileOf(canvas: HTMLCanvasElement, date: Date): Promise<File> {
  const encode = (type: string) =>
    new Promise<Blob | null>((resolve) => {
      canvas.toBlob(resolve, type, 0.9);
    });
  const png = await encode('image/png');
  const blob = png && png.size <= maxPngBytes ? png : await encode('image/jpeg');
  if (!blob) throw new Error('the browser made no picture');
  const ending = blob.type === 'image/png' ? 'png' : 'jpg';
  return new File([blob], `${nameAt(date)}.${ending}`, { type: blob.type });
}
