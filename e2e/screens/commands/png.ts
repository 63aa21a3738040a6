import { crc32, deflateSync, inflateSync } from 'node:zlib';

const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
const maxColours = 256;
/** Of these the most frequent: surfaces, texts, lines. */
const keptColours = 128;

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

type Colour = [red: number, green: number, blue: number];

/** How far apart two colours are, squared: 0 to 3 · 255². */
const distance = (one: Colour, other: Colour) =>
  (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2 + (one[2] - other[2]) ** 2;

function nearest(colour: Colour, palette: Colour[]): number {
  let best = 0;
  let least = Infinity;
  for (let place = 0; place < palette.length; place += 1) {
    const far = distance(colour, palette[place]!);
    if (far < least) [best, least] = [place, far];
  }
  return best;
}

/** The most frequent colours, and of the others so many that none is farther than `reach` from one of them; else null. */
function choose(colours: Colour[], reach: number): Colour[] | null {
  const palette: Colour[] = [];
  for (const [rank, colour] of colours.entries()) {
    if (rank >= keptColours && distance(colour, palette[nearest(colour, palette)]!) <= reach ** 2) continue;
    if (palette.length === maxColours) return null;
    palette.push(colour);
  }
  return palette;
}

/** Each pixel as a place in a palette that holds the frequent colours as they are. */
function index({ rgb }: Image): { palette: Colour[]; pixels: Uint8Array } {
  const keys = Array.from(
    { length: rgb.length / 3 },
    (_, pixel) => (rgb[pixel * 3]! << 16) | (rgb[pixel * 3 + 1]! << 8) | rgb[pixel * 3 + 2]!,
  );
  const counts = new Map<number, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  const colourOf = (key: number): Colour => [key >> 16, (key >> 8) & 255, key & 255];
  const colours = [...counts].sort(([, one], [, other]) => other - one).map(([key]) => colourOf(key));
  let palette: Colour[] | null = null;
  for (let reach = 0; !palette; reach += 4) palette = choose(colours, reach);
  const places = new Map([...counts.keys()].map((key) => [key, nearest(colourOf(key), palette)]));
  return { palette, pixels: Uint8Array.from(keys, (key) => places.get(key)!) };
}

/**
 * A picture of at most 256 colours, a third of the size: where it has more, the rare ones of shadows and of the edges
 * of letters move to the nearest that stays. Reads PNGs as browsers write them.
 */
export function shrinkPng(png: Buffer): Buffer {
  const image = decode(png);
  const { width, height } = image;
  const { palette, pixels } = index(image);
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
