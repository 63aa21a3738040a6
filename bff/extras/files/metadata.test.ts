import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CannotErase, erase } from './metadata.ts';
import { factsIn } from './testing/exif.ts';
import { pngOf, sample } from './testing/upload.ts';

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'metadata-'))));
afterAll(() => rmSync(folder, { recursive: true }));

async function erased(bytes: Buffer, type: string) {
  const path = join(folder, 'file');
  writeFileSync(path, bytes);
  const handle = await open(path, 'r+');
  try {
    return { ...(await erase(handle, type)), bytes: readFileSync(path) };
  } finally {
    await handle.close();
  }
}

const ascii = (text: string) => Buffer.from(text, 'latin1');
const uint32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
/** What must not be left of any file below. */
const secret = ascii('48.8584N 2.2945E');
const box = (type: string, ...content: Buffer[]) => {
  const body = Buffer.concat(content);
  return Buffer.concat([uint32(body.length + 8), ascii(type), body]);
};

describe('a photo', () => {
  it('of a camera loses all that it says of place, time and camera, and no pixel', async () => {
    const photo = sample('DSCN0010.jpg');
    expect(Object.keys(await factsIn(photo)).length).toBeGreaterThan(50);
    const { bytes, pixels } = await erased(photo, 'image/jpeg');
    expect(await factsIn(bytes)).toEqual({});
    expect(pixels).toEqual({ width: 640, height: 480 });
    const scan = photo.lastIndexOf(Buffer.from([0xff, 0xda]));
    expect(bytes.subarray(scan)).toEqual(photo.subarray(scan));
  });

  it('that lies on its side keeps that and nothing else of its Exif', async () => {
    const { bytes, pixels } = await erased(sample('portrait_6.jpg'), 'image/jpeg');
    expect(await factsIn(bytes)).toEqual({ Orientation: 6 });
    expect(pixels).toEqual({ width: 450, height: 600 });
  });

  it('of a phone in HEIC loses its Exif and no pixel', async () => {
    const photo = sample('samplefilehub.heif');
    expect(await factsIn(photo)).not.toEqual({});
    const { bytes, pixels } = await erased(photo, 'image/heic');
    expect(await factsIn(bytes)).toEqual({});
    expect(pixels).toEqual({ width: 640, height: 426 });
    const changed = photo.findIndex((byte, at) => byte !== bytes[at]);
    expect(photo.subarray(changed, changed + 3_000).includes(bytes.subarray(photo.length - 20_000))).toBe(
      false,
    );
    expect(bytes.subarray(-20_000)).toEqual(photo.subarray(-20_000));
  });

  it('that another picture follows is cut at its end', async () => {
    const photo = sample('portrait_6.jpg');
    const { bytes, size } = await erased(Buffer.concat([photo, sample('DSCN0010.jpg')]), 'image/jpeg');
    expect([bytes.length, size]).toEqual([photo.length, photo.length]);
  });
});

const segment = (code: number, ...content: Buffer[]) => {
  const body = Buffer.concat(content);
  const head = Buffer.from([0xff, code, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
};
const pngChunk = (type: string, data: Buffer) =>
  Buffer.concat([uint32(data.length), ascii(type), data, uint32(crc32(Buffer.concat([ascii(type), data])))]);
const riff = (...chunks: [string, Buffer][]) => {
  const body = Buffer.concat(
    chunks.map(([type, data]) => {
      const size = Buffer.alloc(4);
      size.writeUInt32LE(data.length);
      return Buffer.concat([ascii(type), size, data, Buffer.alloc(data.length % 2)]);
    }),
  );
  const size = Buffer.alloc(4);
  size.writeUInt32LE(body.length + 4);
  return Buffer.concat([ascii('RIFF'), size, ascii('WEBP'), body]);
};
/** A track of this kind with one sample, which is at `at` of the file. */
const track = (kind: string, at: number) =>
  box(
    'trak',
    box(
      'mdia',
      box('hdlr', Buffer.alloc(8), ascii(kind), Buffer.alloc(12)),
      box(
        'minf',
        box(
          'stbl',
          box('stsc', Buffer.alloc(4), uint32(1), uint32(1), uint32(1), uint32(1)),
          box('stsz', Buffer.alloc(4), uint32(secret.length), uint32(1)),
          box('stco', Buffer.alloc(4), uint32(1), uint32(at)),
        ),
      ),
    ),
    box('udta', box('\xa9xyz', secret)),
  );
const ftyp = (brand: string) => box('ftyp', ascii(brand), Buffer.alloc(4), ascii(brand));
const infe = (id: number, type: string) =>
  box('infe', Buffer.from([2, 0, 0, 0, 0, id, 0, 0]), ascii(type), Buffer.alloc(1));
/** HEIC whose item 1 is a picture, and item 2 says something. `location`: of item 2 in `iloc`. */
const heic = (type: string, location: Buffer) =>
  Buffer.concat([
    ftyp('heic'),
    box(
      'meta',
      Buffer.alloc(4),
      box('iinf', Buffer.from([0, 0, 0, 0, 0, 2]), infe(1, 'hvc1'), infe(2, type)),
      box('iloc', Buffer.from([1, 0, 0, 0, 0x44, 0x00, 0, 1, 0, 2]), location),
      box('idat', secret),
    ),
  ]);
const extent = (method: number, offset: number, length: number) =>
  Buffer.concat([Buffer.from([0, method, 0, 0, 0, 1]), uint32(offset), uint32(length)]);

const gifHead = Buffer.concat([ascii('GIF89a'), Buffer.from([2, 0, 3, 0, 0, 0, 0])]);
const gifImage = Buffer.from([0x2c, 0, 0, 0, 0, 2, 0, 3, 0, 0, 2, 2, 0x4c, 0x01, 0]);
const tiffEntry = (tag: number, type: number, count: number, value: number) => {
  const entry = Buffer.alloc(12);
  entry.writeUInt16BE(tag);
  entry.writeUInt16BE(type, 2);
  entry.writeUInt32BE(count, 4);
  entry.writeUInt32BE(value, 8);
  return entry;
};
const tiff = Buffer.concat([
  ascii('MM\0*'),
  uint32(8),
  Buffer.from([0, 4]),
  tiffEntry(256, 4, 1, 2),
  tiffEntry(270, 2, secret.length, 100),
  tiffEntry(274, 3, 1, 6 << 16),
  tiffEntry(34_853, 4, 1, 62),
  uint32(0),
  Buffer.from([0, 1]),
  tiffEntry(2, 2, secret.length, 120),
  uint32(0),
  Buffer.alloc(20),
  secret,
  Buffer.alloc(4),
  secret,
]);

const said: [string, string, Buffer][] = [
  [
    'JPEG with a comment',
    'image/jpeg',
    Buffer.concat([Buffer.from([0xff, 0xd8]), segment(0xfe, secret), Buffer.from([0xff, 0xd9])]),
  ],
  [
    'JPEG with IPTC',
    'image/jpeg',
    Buffer.concat([
      Buffer.from([0xff, 0xd8]),
      segment(0xed, ascii('Photoshop 3.0\0'), secret),
      Buffer.from([0xff, 0xd9]),
    ]),
  ],
  [
    'JPEG with XMP after its first scan',
    'image/jpeg',
    Buffer.concat([
      Buffer.from([0xff, 0xd8]),
      segment(0xda, Buffer.alloc(6)),
      Buffer.from([1, 0xff, 0, 2, 0xff, 0xd1, 3]),
      segment(0xe1, secret),
      Buffer.from([0xff, 0xd9]),
    ]),
  ],
  [
    'JPEG that ends within its Exif',
    'image/jpeg',
    Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0xff, 0xff]), ascii('Exif\0\0'), secret]),
  ],
  [
    'PNG with text',
    'image/png',
    Buffer.concat([
      pngOf(2, 3).subarray(0, 33),
      pngChunk('tEXt', secret),
      pngChunk('zTXt', secret),
      pngChunk('iTXt', secret),
      pngChunk('eXIf', secret),
      pngOf(2, 3).subarray(33),
    ]),
  ],
  ['PNG with something behind it', 'image/png', Buffer.concat([pngOf(2, 3), secret])],
  [
    'WebP with Exif and XMP',
    'image/webp',
    riff(['VP8X', Buffer.alloc(10)], ['EXIF', secret], ['XMP ', secret], ['VP8 ', Buffer.alloc(10)]),
  ],
  [
    'GIF with a comment',
    'image/gif',
    Buffer.concat([
      gifHead,
      Buffer.from([0x21, 0xfe, secret.length]),
      secret,
      Buffer.from([0]),
      gifImage,
      Buffer.from([0x3b]),
    ]),
  ],
  [
    'GIF with XMP',
    'image/gif',
    Buffer.concat([
      gifHead,
      Buffer.from([0x21, 0xff, 11]),
      ascii('XMP DataXMP'),
      Buffer.from([secret.length]),
      secret,
      Buffer.from([0]),
      gifImage,
      Buffer.from([0x3b]),
    ]),
  ],
  ['TIFF with a position', 'image/tiff', tiff],
  ['HEIC with Exif in its items', 'image/heic', heic('Exif', extent(1, 0, secret.length))],
  ['HEIC with XMP in its items', 'image/heic', heic('mime', extent(1, 0, secret.length))],
  ['HEIC with a video beside it', 'image/heic', Buffer.concat([ftyp('heic'), box('mpvd', secret)])],
  [
    'MP4 with a position',
    'video/mp4',
    Buffer.concat([ftyp('isom'), box('moov', box('udta', box('\xa9xyz', secret)), track('vide', 0))]),
  ],
  [
    'MOV with keys',
    'video/quicktime',
    Buffer.concat([ftyp('qt  '), box('moov', box('meta', box('keys', secret), box('ilst', secret)))]),
  ],
  [
    'MP4 with a track of positions',
    'video/mp4',
    Buffer.concat([ftyp('isom'), box('mdat', secret), box('moov', track('meta', ftyp('isom').length + 8))]),
  ],
  [
    'MP4 with positions as subtitles',
    'video/mp4',
    Buffer.concat([ftyp('isom'), box('mdat', secret), box('moov', track('sbtl', ftyp('isom').length + 8))]),
  ],
  [
    'MP4 with times of a movie, a track and its media',
    'video/mp4',
    Buffer.concat([
      ftyp('isom'),
      box(
        'moov',
        box('mvhd', Buffer.from([1, 0, 0, 0]), secret),
        box(
          'trak',
          box('tkhd', Buffer.from([1, 0, 0, 0]), secret),
          box(
            'mdia',
            box('mdhd', Buffer.from([1, 0, 0, 0]), secret),
            box('hdlr', Buffer.alloc(8), ascii('vide')),
          ),
        ),
      ),
    ]),
  ],
  [
    'MP4 with something else',
    'video/mp4',
    Buffer.concat([ftyp('isom'), box('uuid', secret), box('free', secret)]),
  ],
];

it.each(said)('%s says nothing any more', async (_, type, bytes) => {
  expect(bytes.includes(secret)).toBe(true);
  const after = await erased(bytes, type);
  expect(after.bytes.includes(secret)).toBe(false);
  expect(after.isChanged).toBe(true);
});

it('a PNG stays whole: every checksum is right', async () => {
  const { bytes, pixels } = await erased(said.find(([name]) => name === 'PNG with text')![2], 'image/png');
  expect(pixels).toEqual({ width: 2, height: 3 });
  const types: string[] = [];
  for (let at = 33; at < bytes.length - 12 - 32;) {
    const length = bytes.readUInt32BE(at);
    types.push(bytes.toString('latin1', at + 4, at + 8));
    expect(bytes.readUInt32BE(at + 8 + length)).toBe(crc32(bytes.subarray(at + 4, at + 8 + length)));
    at += 12 + length;
  }
  expect(types).toEqual(['dsKb', 'dsKb', 'dsKb', 'dsKb']);
});

it('a TIFF keeps how it is turned', async () =>
  expect(await factsIn((await erased(tiff, 'image/tiff')).bytes)).toEqual({ ImageWidth: 2, Orientation: 6 }));

it.each([
  ['a BigTIFF', 'image/tiff', ascii('II+\0\x08\0\0\0aaaaaaaa')],
  ['a TIFF whose directory is not there', 'image/tiff', ascii('MM\0*\0\0\0\x08\xff\xff')],
  ['HEIC whose Exif is in another item', 'image/heic', heic('Exif', extent(2, 0, secret.length))],
  ['HEIC whose Exif has no end', 'image/heic', heic('Exif', extent(0, 0, 0))],
  [
    'a box that is smaller than its head',
    'video/mp4',
    Buffer.concat([ftyp('isom'), uint32(4), ascii('moov'), secret]),
  ],
  [
    'a track of positions in fragments',
    'video/mp4',
    Buffer.concat([ftyp('isom'), box('moov', box('mvex'), track('meta', 0))]),
  ],
])('%s is refused, since a position could stay', async (_, type, bytes) =>
  expect(erased(bytes, type)).rejects.toThrow(CannotErase),
);

it.each([
  [
    'HEIC with extents that take no bytes',
    'image/heic',
    Buffer.concat([
      ftyp('heic'),
      box(
        'meta',
        Buffer.alloc(4),
        box('iinf', Buffer.from([0, 0, 0, 0, 0, 2]), infe(1, 'hvc1'), infe(2, 'Exif')),
        box('iloc', Buffer.from([0, 0, 0, 0, 0, 0, 0, 1]), Buffer.from([0, 1, 0, 0, 0xff, 0xff])),
      ),
    ]),
  ],
  [
    'JPEG of empty markers',
    'image/jpeg',
    Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(60_000, Buffer.from([0xff, 0x01]))]),
  ],
])('%s is refused instead of read for minutes', async (_, type, bytes) =>
  expect(erased(bytes, type)).rejects.toThrow(CannotErase),
);

const types = [...new Set(said.map(([, type]) => type))];
it.each(types)('%s that was damaged anywhere ends in bounded time, and in no other error', async (type) => {
  const starts = said.filter(([, each]) => each === type).map(([, , bytes]) => bytes);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...starts),
      fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { maxLength: 8 }),
      fc.nat(400),
      async (start, changes, cut) => {
        const bytes = Buffer.from(start.subarray(0, Math.max(16, start.length - cut)));
        for (const [at, value] of changes) if (at >= 12 && at < bytes.length) bytes[at] = value;
        await erased(bytes, type).catch((error: unknown) => {
          if (!(error instanceof CannotErase)) throw error;
        });
      },
    ),
    { numRuns: 300 },
  );
});
