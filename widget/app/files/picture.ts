/*
 * Photos are turned upright and made smaller before they are uploaded; a new encode has none of the camera's data. What
 * would gain nothing goes as it is. It knows nothing of uploads or of what is on screen.
 */

/** Of the longest side, in pixels. */
const maxSide = 2_560;
/** More pixels are not decoded: they would take too much memory. */
const maxPixels = 100_000_000;
const quality = 0.9;
/** A larger PNG is more likely a photo than a screenshot. */
const maxPngBytes = 2_000_000;

/** By its first bytes; `heic` for all pictures of that family. */
export type PictureKind = 'jpeg' | 'png' | 'gif' | 'webp' | 'heic';

export interface Prepared {
  bytes: ArrayBuffer;
  name: string;
  /** Null for what browsers do not show as a picture. */
  kind: PictureKind | null;
  /** Pixels as a person sees them, where they are known. */
  width?: number;
  height?: number;
  /** It is in a format that many programs cannot read, and so is what it was changed to. */
  isForeign?: true;
}

/** What a browser offers to draw with; tests have their own. */
export interface Painter {
  /** Rejects what the browser cannot read. */
  decode: (file: Blob) => Promise<ImageBitmap>;
  canvas: (width: number, height: number) => OffscreenCanvas;
}

const browserPainter: Painter = {
  decode: (file) => createImageBitmap(file, { imageOrientation: 'from-image' }),
  canvas: (width, height) => new OffscreenCanvas(width, height),
};

const ascii = (view: DataView, at: number, length: number) =>
  String.fromCharCode(
    ...new Uint8Array(view.buffer, at, Math.max(0, Math.min(length, view.byteLength - at))),
  );

/** Null for what is none of these pictures. */
export function kindOf(bytes: ArrayBuffer): PictureKind | null {
  const view = new DataView(bytes);
  const start = ascii(view, 0, 12);
  if (start.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (start.startsWith('\x89PNG\r\n')) return 'png';
  if (start.startsWith('GIF8')) return 'gif';
  if (/^RIFF.{4}WEBP/s.test(start)) return 'webp';
  return /ftyp(hei[cfmsx]|hev[cmsx]|mif1|msf1)/.test(start) ? 'heic' : null;
}

interface Facts {
  width: number;
  height: number;
  /** Of EXIF; 1: upright. */
  orientation: number;
}

/** The orientation in an EXIF segment that begins at `at`. */
function orientationAt(view: DataView, at: number): number {
  const isLittle = view.getUint16(at) === 0x4949;
  const directory = at + view.getUint32(at + 4, isLittle);
  for (let entry = 0; entry < view.getUint16(directory, isLittle); entry += 1) {
    const place = directory + 2 + entry * 12;
    if (view.getUint16(place, isLittle) === 0x0112) return view.getUint16(place + 8, isLittle);
  }
  return 1;
}

/** Read without decoding, since a small file may have millions of pixels; null where that takes more than a look. */
export function factsOf(bytes: ArrayBuffer, kind: PictureKind): Facts | null {
  const view = new DataView(bytes);
  try {
    if (kind === 'png') return { width: view.getUint32(16), height: view.getUint32(20), orientation: 1 };
    if (kind === 'gif')
      return { width: view.getUint16(6, true), height: view.getUint16(8, true), orientation: 1 };
    if (kind !== 'jpeg') return null;
    let orientation = 1;
    for (let at = 2; ;) {
      const marker = view.getUint16(at);
      if (marker === 0xffff) {
        at += 1;
        continue;
      }
      if (marker === 0xffe1 && ascii(view, at + 4, 4) === 'Exif') {
        try {
          orientation = orientationAt(view, at + 10);
        } catch {
          // A broken one counts as none.
        }
      }
      // A frame header, of any coding.
      if (marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker))
        return { width: view.getUint16(at + 7), height: view.getUint16(at + 5), orientation };
      if (marker < 0xffc0 || marker === 0xffda) return null;
      at += 2 + view.getUint16(at + 2);
    }
  } catch {
    // It ends too early.
    return null;
  }
}

const isAnimated = (bytes: ArrayBuffer) =>
  ascii(new DataView(bytes), 12, 4) === 'VP8X' && (new Uint8Array(bytes)[20]! & 2) !== 0;

/** Some browsers give back another picture than what was drawn, so that nobody is recognised by it. */
function canDraw({ canvas }: Painter): boolean {
  const context = canvas(1, 1).getContext('2d')!;
  context.fillStyle = '#f00';
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, alpha = 0] = context.getImageData(0, 0, 1, 1).data;
  return red > 250 && green < 5 && blue < 5 && alpha > 250;
}

function draw({ canvas }: Painter, bitmap: ImageBitmap, longest: number): OffscreenCanvas {
  const scale = Math.min(1, longest / Math.max(bitmap.width, bitmap.height));
  const size = (side: number) => Math.max(1, Math.round(side * scale));
  const drawn = canvas(size(bitmap.width), size(bitmap.height));
  const context = drawn.getContext('2d')!;
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, drawn.width, drawn.height);
  return drawn;
}

function hasTransparency(painter: Painter, bitmap: ImageBitmap): boolean {
  const small = draw(painter, bitmap, 64);
  const { data } = small.getContext('2d')!.getImageData(0, 0, small.width, small.height);
  return data.some((value, place) => place % 4 === 3 && value < 255);
}

async function encode(painter: Painter, bitmap: ImageBitmap, kind: PictureKind) {
  const drawn = draw(painter, bitmap, maxSide);
  const png = kind === 'png' || kind === 'webp' ? await drawn.convertToBlob({ type: 'image/png' }) : null;
  // Screenshots stay sharp, and what is transparent stays so.
  if (png && ((kind === 'png' && png.size <= maxPngBytes) || hasTransparency(painter, bitmap)))
    return { blob: png, kind: 'png' as const, ending: 'png', drawn };
  const blob = await drawn.convertToBlob({ type: 'image/jpeg', quality });
  return { blob, kind: 'jpeg' as const, ending: 'jpg', drawn };
}

/** `name` with the ending of its new format, unless it has one of that format. */
function renamed(name: string, ending: string): string {
  const endings = ending === 'jpg' ? ['jpg', 'jpeg'] : [ending];
  return endings.some((one) => name.toLowerCase().endsWith(`.${one}`))
    ? name
    : `${name.replace(/\.\w{2,5}$/, '')}.${ending}`;
}

/** A file as it is uploaded. Never larger than it was, and as it was where the browser cannot read or draw it. */
export async function prepare(
  bytes: ArrayBuffer,
  name: string,
  painter: Painter = browserPainter,
): Promise<Prepared> {
  const kind = kindOf(bytes);
  if (!kind) return { bytes, name, kind };
  const facts = factsOf(bytes, kind);
  const isTurned = (facts?.orientation ?? 1) > 4;
  const pixels = facts && {
    width: isTurned ? facts.height : facts.width,
    height: isTurned ? facts.width : facts.height,
  };
  const same: Prepared = { bytes, name, kind: kind === 'heic' ? null : kind, ...pixels };
  const isRight = facts && facts.orientation === 1 && Math.max(facts.width, facts.height) <= maxSide;
  if (isRight || kind === 'gif' || (kind === 'webp' && isAnimated(bytes))) return same;
  if (facts && facts.width * facts.height > maxPixels) return same;
  try {
    const bitmap = await painter.decode(new Blob([bytes], { type: `image/${kind}` }));
    const { width, height } = bitmap;
    const known: Prepared = { ...same, width, height };
    try {
      const isWanted =
        kind === 'heic' || (facts?.orientation ?? 1) !== 1 || Math.max(width, height) > maxSide;
      if (!isWanted || !canDraw(painter)) return kind === 'heic' ? { ...same, isForeign: true } : known;
      const made = await encode(painter, bitmap, kind);
      if (made.blob.size >= bytes.byteLength && kind !== 'heic') return known;
      return {
        bytes: await made.blob.arrayBuffer(),
        name: renamed(name, made.ending),
        kind: made.kind,
        width: made.drawn.width,
        height: made.drawn.height,
      };
    } finally {
      bitmap.close();
    }
  } catch {
    return kind === 'heic' ? { ...same, isForeign: true } : same;
  }
}
