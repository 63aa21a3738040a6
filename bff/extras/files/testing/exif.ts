import { createRequire } from 'node:module';
import type Exifr from 'exifr';

/** As Node loads it, since its bundle cannot be loaded as a module of tests. */
const exifr = createRequire(import.meta.url)('exifr') as typeof Exifr;

/** All that a reader that nobody here wrote finds in a picture: facts by name. */
export async function factsIn(bytes: Buffer): Promise<Record<string, unknown>> {
  const all = {
    tiff: true,
    ifd1: true,
    exif: true,
    gps: true,
    xmp: true,
    iptc: true,
    makerNote: true,
    userComment: true,
  };
  const found = await exifr.parse(bytes, { ...all, translateValues: false }).catch(() => undefined);
  const { errors: _, ...facts } = (found ?? {}) as Record<string, unknown>;
  return facts;
}
