import { crc32, deflateSync, inflateSync } from 'node:zlib';

const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
const maxColours = 256;

interface Image {
  width: number;
  height: number;
  /** Three bytes a pixel. */
  rgb: Uint8Array;
}

function* chunks(png: Buffer): Generator<[type: string, data: Buffer]> {
  for (let at = signature.length; at < png.length;) {
    const size = png.readUInt32BE(at);
    yield [png.toString('latin1', at + 4, at + 8), png.subarray(at + 8, at + 8 + size)];
    at += size + 12;
  }
}

/** The nearest of left, above and upper left to their gradient (PNG section 9.4). */
function paeth(left: number, above: number, corner: number): number {
  const estimate = left + above - corner;
  const [toLeft, toAbove, toCorner] = [left, above, corner].map((value) => Math.abs(estimate - value)) as [
    number,
    number,
    number,
  ];
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}

const filters: ((left: number, above: number, corner: number) => number)[] = [
  () => 0,
  (left) => left,
  (_, above) => above,
  (left, above) => (left + above) >> 1,
  paeth,
];

/** Reads what browsers write: eight bits a channel, RGB or RGBA (whose alpha is dropped), not interlaced. */
function decode(png: Buffer): Image {
  const parts = [...chunks(png)];
  const header = parts.find(([type]) => type === 'IHDR')![1];
  const [width, height, bytes] = [header.readUInt32BE(0), header.readUInt32BE(4), header[9] === 6 ? 4 : 3];
  const raw = inflateSync(Buffer.concat(parts.filter(([type]) => type === 'IDAT').map(([, data]) => data)));
  const stride = width * bytes;
  const rgb = new Uint8Array(width * height * 3);
  let above = new Uint8Array(stride);
  for (let y = 0; y < height; y += 1) {
    const start = y * (stride + 1);
    const predict = filters[raw[start]!]!;
    const line = new Uint8Array(stride);
    for (let x = 0; x < stride; x += 1) {
      const left = x < bytes ? 0 : line[x - bytes]!;
      const corner = x < bytes ? 0 : above[x - bytes]!;
      line[x] = raw[start + 1 + x]! + predict(left, above[x]!, corner);
    }
    for (let x = 0; x < width; x += 1) rgb.set(line.subarray(x * bytes, x * bytes + 3), (y * width + x) * 3);
    above = line;
  }
  return { width, height, rgb };
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

/** Of these the finest that leaves few enough colours; the last always does. */
const steps = [1, 4, 8, 12, 16, 24, 51];

/** Each pixel as a place in a palette of colours that are multiples of `step`; null when they are too many. */
function index({ rgb }: Image, step: number): { palette: number[][]; pixels: Uint8Array } | null {
  const places = new Map<number, number>();
  const palette: number[][] = [];
  const pixels = new Uint8Array(rgb.length / 3);
  const round = (value: number) => Math.min(255, Math.round(value / step) * step);
  for (let pixel = 0; pixel < pixels.length; pixel += 1) {
    const colour = [...rgb.subarray(pixel * 3, pixel * 3 + 3)].map(round);
    const key = (colour[0]! << 16) | (colour[1]! << 8) | colour[2]!;
    if (!places.has(key)) {
      if (palette.length === maxColours) return null;
      places.set(key, palette.length);
      palette.push(colour);
    }
    pixels[pixel] = places.get(key)!;
  }
  return { palette, pixels };
}

function indexed(image: Image) {
  for (const step of steps) {
    const found = index(image, step);
    if (found) return found;
  }
  throw new Error('too many colours for a palette');
}

/**
 * A picture of at most 256 colours, a quarter of the size: where it has more, every channel moves by less than
 * comparisons tolerate.
 * Reads PNGs as browsers write them.
 */
export function shrinkPng(png: Buffer): Buffer {
  const image = decode(png);
  const { width, height } = image;
  const { palette, pixels } = indexed(image);
  const lines = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1)
    lines.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits a pixel, into a palette.
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flat())),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
