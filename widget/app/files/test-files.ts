import { vi } from 'vitest';
import type { UploadedFile } from '../../../shared/contract/files.ts';
import { failure, type Result } from '../api/result.ts';
import type { Models } from '../models.ts';
import { settle } from '../testing/fakes.ts';
import { createBlobs, type Blobs } from './blobs.ts';
import { createFilesModel } from './model.ts';
import { prepare } from './picture.ts';
import type { Upload } from './upload.ts';

export const rules = { maxCount: 3, maxBytes: 1_000, types: ['image/*', 'text/plain'] };

/** The content of one browser: in memory, for all of its tabs. */
export const newBlobs = (): Blobs => ({
  ...createBlobs(() => {
    throw new DOMException('denied', 'SecurityError');
  }),
});

/** Keeps what is written, as a browser with IndexedDB does. */
export function keptBlobs(): Blobs {
  const blobs = newBlobs();
  return { ...blobs, write: async (file) => (await blobs.write(file), true) };
}

export const aFile = (name = 'note.txt', text = 'Hello', type = 'text/plain') =>
  new File([text], name, { type });

/** A BFF that takes every file, except where `answer` says otherwise. */
export function fakeUpload(
  answer: (name: string) => Result<UploadedFile> | Promise<never> | null = () => null,
) {
  const seen: { name: string; upload: string; owner: string | null }[] = [];
  const upload = vi.fn<Upload>(async (_api, { name, upload: key, owner = null, bytes }) => {
    seen.push({ name, upload: key, owner });
    const value = { id: `id-${key}`, name, size: bytes.byteLength, type: 'text/plain' };
    return (await answer(name)) ?? { ok: true, value };
  });
  return { upload, seen };
}

export const cut = failure('network');

interface FilesOf {
  upload?: Upload;
  blobs?: Blobs;
}

export function filesOf(models: Models, { upload = fakeUpload().upload, blobs = keptBlobs() }: FilesOf = {}) {
  const files = createFilesModel({ models, rules, lock: (run) => run(), blobs, prepare, upload });
  files.start();
  return files;
}

/** Reading a file takes turns of the browser's own. */
export async function everything(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) {
    await new Promise((resolve) => {
      setTimeout(resolve);
    });
    await settle();
  }
}
