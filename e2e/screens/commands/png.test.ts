import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { shrinkPng } from './png.ts';

const width = 40;
const height = 30;
/** Bytes of a line; those before it are zero. */
type Predict = (left: number, above: number, corner: number) => number;

const filters: Record<string, Predict> = {
  none: () => 0,
  sub: (left) => left,
  up: (_, above) => above,
  average: (left, above) => Math.floor((left + above) / 2),
  paeth(left, above, corner) {
    const distance = (value: number) => Math.abs(left + above - corner - value);
    return [left, above, corner].reduce((best, value) => (distance(value) < distance(best) ? value : best));
  },
};

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

type Colour = [red: number, green: number, blue: number];
type Paint = (x: number, y: number) => Colour;

/** A PNG as a browser writes it; `hasAlpha`: with a fourth channel, all opaque. */
function encode(paint: Paint, filter: string, hasAlpha: boolean): Buffer {
  const bytes = hasAlpha ? 4 : 3;
  const at = (x: number, y: number, channel: number) =>
    x < 0 || y < 0 ? 0 : ([...paint(x, y), 255][channel] ?? 0);
  const predict = filters[filter]!;
  const lines = Array.from({ length: height }, (_, y) => [
    Object.keys(filters).indexOf(filter),
    ...Array.from({ length: width * bytes }, (_each, place) => {
      const [x, channel] = [Math.floor(place / bytes), place % bytes];
      const predicted = predict(at(x - 1, y, channel), at(x, y - 1, channel), at(x - 1, y - 1, channel));
      return (at(x, y, channel) - predicted) & 255;
    }),
  ]);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, hasAlpha ? 6 : 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from(lines.flat()))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The chunks of a PNG whose check sums are right. */
function chunksOf(png: Buffer): Record<string, Buffer> {
  const chunks: Record<string, Buffer> = {};
  for (let at = 8; at < png.length;) {
    const size = png.readUInt32BE(at);
    const body = png.subarray(at + 4, at + 8 + size);
    expect(png.readUInt32BE(at + 8 + size)).toBe(crc32(body));
    chunks[body.toString('latin1', 0, 4)] = body.subarray(4);
    at += size + 12;
  }
  return chunks;
}

/** The colours of a picture with a palette, line by line. */
function coloursOf(png: Buffer): Colour[] {
  const { IHDR, PLTE, IDAT } = chunksOf(png);
  expect([...IHDR!]).toEqual([0, 0, 0, width, 0, 0, 0, height, 8, 3, 0, 0, 0]);
  const lines = inflateSync(IDAT!);
  return Array.from({ length: width * height }, (_, pixel) => {
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    expect(lines[y * (width + 1)]).toBe(0);
    const place = lines[y * (width + 1) + 1 + x]! * 3;
    return [...PLTE!.subarray(place, place + 3)] as Colour;
  });
}

const coloursBy = (paint: Paint) =>
  Array.from({ length: width * height }, (_, pixel) => paint(pixel % width, Math.floor(pixel / width)));

/** Forty colours in no order, as at the edges of letters. */
const few: Paint = (x, y) => {
  const place = (Math.imul((x + 1) * (y + 3), 2_654_435_761) >>> 16) % 40;
  return [place * 6, 255 - place, (place * 37) % 256];
};
/** More colours than a palette has. */
const many: Paint = (x, y) => [x * 6, y * 8, (x * y) % 251];

describe('shrinking a picture', () => {
  for (const filter of Object.keys(filters))
    for (const hasAlpha of [false, true])
      it(`keeps every pixel of a picture with few colours (lines filtered by ${filter}, ${hasAlpha ? 'RGBA' : 'RGB'})`, () => {
        expect(coloursOf(shrinkPng(encode(few, filter, hasAlpha)))).toEqual(coloursBy(few));
      });

  it('keeps the most frequent colours where there are too many, and changes the others little', () => {
    const ground: Colour = [23, 24, 28];
    const paint: Paint = (x, y) => (y < height / 2 ? ground : many(x, y));
    const before = coloursBy(paint);
    const after = coloursOf(shrinkPng(encode(paint, 'sub', false)));
    expect(after.slice(0, width * 10)).toEqual(before.slice(0, width * 10));
    const moves = after.map((colour, pixel) =>
      Math.hypot(...colour.map((value, channel) => value - before[pixel]![channel]!)),
    );
    expect(Math.max(...moves)).toBeGreaterThan(0);
    expect(Math.max(...moves)).toBeLessThan(32);
  });

  it('makes the file smaller', () => {
    for (const filter of Object.keys(filters)) {
      const png = encode(few, filter, true);
      expect(shrinkPng(png).length).toBeLessThan(png.length);
    }
  });
});
