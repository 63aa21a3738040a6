import { describe, expect, it, vi } from 'vitest';
import { kindOf, type Painter, prepare } from './picture.ts';

const bytesOf = (...parts: (string | readonly number[])[]) =>
  new Uint8Array(parts.flatMap((part) => (typeof part === 'string' ? bytesArray(part) : part))).buffer;

const number = (value: number, length: number) =>
  Array.from({ length }, (_, place) => (value >> (8 * (length - 1 - place))) & 255);

/** Headers of a JPEG with an orientation in its EXIF, big-endian as cameras of some makers write it, or little-endian. */
function jpeg(width: number, height: number, orientation = 1, isLittle = false): ArrayBuffer {
  const order = (value: number, length: number) =>
    isLittle ? number(value, length).toReversed() : number(value, length);
  const tiff = [
    ...bytesArray(isLittle ? 'II' : 'MM'),
    ...order(42, 2),
    ...order(8, 4),
    ...order(1, 2),
    ...order(0x0112, 2),
    ...order(3, 2),
    ...order(1, 4),
    ...order(orientation, 2),
    0,
    0,
  ];
  const exif = [...bytesArray('Exif'), 0, 0, ...tiff];
  return bytesOf(
    [0xff, 0xd8, 0xff, 0xe1],
    number(exif.length + 2, 2),
    exif,
    [0xff, 0xff, 0xc0, 0, 17, 8],
    number(height, 2),
    number(width, 2),
    Array.from({ length: 4_000 }, () => 0),
  );
}

const bytesArray = (text: string) => Array.from(text, (letter) => letter.charCodeAt(0));

const png = (width: number, height: number, length = 4_000) =>
  bytesOf(
    '\x89PNG\r\n\x1a\n',
    number(13, 4),
    'IHDR',
    number(width, 4),
    number(height, 4),
    Array.from({ length }, () => 0),
  );

interface Fake {
  width: number;
  height: number;
  /** Of what is encoded, by its type. */
  sizes?: Record<string, number>;
  alpha?: number;
  /** What is read back where red was drawn. */
  pixel?: number[];
}

/** A browser that decodes a picture of this size, already upright. */
function painterOf({ width, height, sizes = {}, alpha = 255, pixel = [255, 0, 0, 255] }: Fake) {
  const drawn: string[] = [];
  const painter = {
    decode: vi.fn<Painter['decode']>(async () => ({ width, height, close() {} })),
    canvas: (w: number, h: number) =>
      ({
        width: w,
        height: h,
        getContext: () => ({
          fillRect() {},
          drawImage() {},
          getImageData: () => ({ data: w === 1 && h === 1 ? pixel : [0, 0, 0, alpha] }),
        }),
        async convertToBlob({ type }: { type: string }) {
          drawn.push(`${type} ${w}×${h}`);
          return new Blob([new Uint8Array(sizes[type] ?? 100)], { type });
        },
      }) as unknown as OffscreenCanvas,
  } satisfies Painter;
  return { painter, drawn };
}

describe('a photo', () => {
  it.each([true, false])(
    'that lies on its side is drawn upright, also where the camera wrote little-endian: %s',
    async (isLittle) => {
      const { painter, drawn } = painterOf({ width: 900, height: 1_200 });
      const made = await prepare(jpeg(1_200, 900, 6, isLittle), 'IMG_1.JPG', painter);
      expect(drawn).toEqual(['image/jpeg 900×1200']);
      expect(made).toMatchObject({ name: 'IMG_1.JPG', kind: 'jpeg', width: 900, height: 1_200 });
      expect(made.bytes.byteLength).toBe(100);
    },
  );

  it('larger than the limit of its longest side is made smaller', async () => {
    const { painter, drawn } = painterOf({ width: 4_000, height: 3_000 });
    expect(await prepare(jpeg(4_000, 3_000), 'a.jpg', painter)).toMatchObject({
      width: 2_560,
      height: 1_920,
    });
    expect(drawn).toEqual(['image/jpeg 2560×1920']);
  });

  it('that is small and upright goes as it is, and is not even decoded', async () => {
    const { painter } = painterOf({ width: 1, height: 1 });
    const bytes = jpeg(1_200, 900);
    expect(await prepare(bytes, 'a.jpg', painter)).toEqual({
      bytes,
      name: 'a.jpg',
      kind: 'jpeg',
      width: 1_200,
      height: 900,
    });
    expect(painter.decode).not.toHaveBeenCalled();
  });

  it('that would become larger goes as it is, with its size as a person sees it', async () => {
    const { painter } = painterOf({ width: 900, height: 1_200, sizes: { 'image/jpeg': 9_000 } });
    const bytes = jpeg(1_200, 900, 6);
    expect(await prepare(bytes, 'a.jpg', painter)).toMatchObject({ bytes, width: 900, height: 1_200 });
  });

  it('goes as it is where the browser gives back other pixels than were drawn, or cannot read it', async () => {
    const bytes = jpeg(4_000, 3_000);
    const { painter } = painterOf({ width: 4_000, height: 3_000, pixel: [17, 90, 3, 255] });
    expect((await prepare(bytes, 'a.jpg', painter)).bytes).toBe(bytes);
    painter.decode.mockRejectedValue(new DOMException('broken', 'InvalidStateError'));
    expect((await prepare(bytes, 'a.jpg', painter)).bytes).toBe(bytes);
  });

  it('of a hundred millions of pixels and more is not decoded', async () => {
    const { painter } = painterOf({ width: 1, height: 1 });
    const bytes = jpeg(50_000, 50_000);
    expect((await prepare(bytes, 'a.jpg', painter)).bytes).toBe(bytes);
    expect(painter.decode).not.toHaveBeenCalled();
  });
});

describe('a screenshot', () => {
  it('that is larger than the limit stays a PNG', async () => {
    const { painter, drawn } = painterOf({ width: 5_120, height: 2_880 });
    expect(await prepare(png(5_120, 2_880), 'Screen.png', painter)).toMatchObject({
      name: 'Screen.png',
      kind: 'png',
    });
    expect(drawn).toEqual(['image/png 2560×1440']);
  });

  it.each([
    ['stays a PNG where it is transparent', 0, 'png', 'a.png'],
    ['becomes a JPEG where it is not', 255, 'jpeg', 'a.jpg'],
  ] as const)('that is large as a PNG, such as one of a photo, %s', async (_what, alpha, kind, name) => {
    const { painter } = painterOf({ width: 5_120, height: 2_880, sizes: { 'image/png': 3_000_000 }, alpha });
    expect(await prepare(png(5_120, 2_880, 4_000_000), 'a.png', painter)).toMatchObject({ kind, name });
  });
});

describe('a HEIC', () => {
  const heic = bytesOf(
    number(24, 4),
    'ftypheic',
    Array.from({ length: 400 }, () => 0),
  );

  it('becomes a JPEG, with its ending, where the browser can read it, also if that is larger', async () => {
    const { painter } = painterOf({ width: 3_024, height: 4_032, sizes: { 'image/jpeg': 900 } });
    expect(await prepare(heic, 'IMG_5195.HEIC', painter)).toMatchObject({
      name: 'IMG_5195.jpg',
      kind: 'jpeg',
      width: 1_920,
      height: 2_560,
    });
  });

  it('goes as it is elsewhere, and the customer is told', async () => {
    const { painter } = painterOf({ width: 1, height: 1 });
    painter.decode.mockRejectedValue(new DOMException('unknown', 'InvalidStateError'));
    expect(await prepare(heic, 'IMG_5195.HEIC', painter)).toEqual({
      bytes: heic,
      name: 'IMG_5195.HEIC',
      kind: null,
      isForeign: true,
    });
  });
});

it.each([
  [
    'a GIF',
    bytesOf(
      'GIF89a',
      [0x10, 0x27, 0x10, 0x27],
      Array.from({ length: 20 }, () => 0),
    ),
    'gif',
  ],
  [
    'a moving WebP',
    bytesOf(
      'RIFF',
      [0, 0, 0, 0],
      'WEBPVP8X',
      [10, 0, 0, 0, 2],
      Array.from({ length: 30 }, () => 0),
    ),
    'webp',
  ],
] as const)('%s is never drawn anew', async (_what, bytes, kind) => {
  const { painter } = painterOf({ width: 10_000, height: 10_000 });
  expect(await prepare(bytes, 'a', painter)).toMatchObject({ bytes, kind });
  expect(painter.decode).not.toHaveBeenCalled();
});

it.each([
  ['nothing', bytesOf()],
  ['a text', bytesOf('Hello, this is a text')],
  ['an SVG', bytesOf('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')],
  ['a JPEG that is cut off', bytesOf([0xff, 0xd8, 0xff, 0xe1, 0xff, 0xff, 1])],
  ['an EXIF that points past its end', jpeg(10, 10).slice(0, 30)],
])('%s is read without an error', async (_what, bytes) => {
  const { painter } = painterOf({ width: 10, height: 10 });
  expect((await prepare(bytes, 'x', painter)).bytes).toBe(bytes);
});

it('an SVG is no picture here: it could hold a script', () => {
  expect(kindOf(bytesOf('<svg onload="alert(1)"></svg>'))).toBeNull();
});
