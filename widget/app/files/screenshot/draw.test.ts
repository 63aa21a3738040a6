import { describe, expect, it, vi } from 'vitest';
import { fileOf, nameAt } from './draw.ts';

/** A canvas whose picture takes so many bytes as a PNG and as a JPEG. */
const canvas = (png: number, jpeg = 1) =>
  ({
    toBlob: (done: BlobCallback, type: string) =>
      done(new Blob([new Uint8Array(type === 'image/png' ? png : jpeg)], { type })),
  }) as unknown as HTMLCanvasElement;

describe('the file', () => {
  const at = new Date(2026, 10, 7, 9, 4);

  it('has the time of the customer in its name', () =>
    expect(nameAt(at)).toBe('Screenshot 2026-11-07 09.04'));

  it('is a PNG of up to 2 MB, and else a JPEG', async () => {
    const [small, large] = await Promise.all([fileOf(canvas(2_000_000), at), fileOf(canvas(2_000_001), at)]);
    expect([small.name, small.type]).toEqual(['Screenshot 2026-11-07 09.04.png', 'image/png']);
    expect([large.name, large.type]).toEqual(['Screenshot 2026-11-07 09.04.jpg', 'image/jpeg']);
  });

  it('that the browser cannot make is an error', async () => {
    const none = { toBlob: vi.fn<HTMLCanvasElement['toBlob']>((done) => done(null)) };
    await expect(fileOf(none as unknown as HTMLCanvasElement, at)).rejects.toThrow('no picture');
  });
});
