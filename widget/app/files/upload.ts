import { fileNameHeader, filesPath, type UploadedFile } from '../../../shared/contract/files.ts';
import type { Calls } from '../api/client.ts';
import type { Result } from '../api/result.ts';
import type { StoredFile } from './blobs.ts';

/** An upload on which nothing moves for so long has failed. */
const silenceMs = 30_000;

/** Sends one file. `onProgress`: from 0 to 1. */
export type Upload = (
  api: Calls,
  file: StoredFile,
  signal: AbortSignal,
  onProgress: (share: number) => void,
) => Promise<Result<UploadedFile>>;

/** As `fetch`, which reports no progress of an upload. */
const sending =
  ({ bytes, name }: StoredFile, signal: AbortSignal, onProgress: (share: number) => void): typeof fetch =>
  (path, options) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      const fail = () => reject(new Error('the upload was cut'));
      let watchdog = 0;
      const wait = () => {
        clearTimeout(watchdog);
        watchdog = window.setTimeout(() => request.abort(), silenceMs);
      };
      request.open('POST', `.${path as string}`);
      const headers = {
        ...(options!.headers as Record<string, string>),
        'Content-Type': 'application/octet-stream',
        [fileNameHeader]: encodeURIComponent(name),
      };
      for (const [header, value] of Object.entries(headers)) request.setRequestHeader(header, value);
      request.upload.addEventListener('progress', ({ loaded, total }) => {
        wait();
        onProgress(total ? loaded / total : 0);
      });
      request.addEventListener('load', () =>
        // A status that a response cannot have means that there was none.
        request.status >= 200
          ? resolve(new Response(request.responseText || null, { status: request.status }))
          : fail(),
      );
      for (const type of ['error', 'abort'] as const) request.addEventListener(type, fail);
      request.addEventListener('loadend', () => clearTimeout(watchdog));
      signal.addEventListener('abort', () => request.abort());
      wait();
      if (signal.aborted) fail();
      else request.send(bytes);
    });

export const upload: Upload = (api, file, signal, onProgress) =>
  api.call<UploadedFile>(filesPath, 'id', {
    // The client's requests have JSON. This one has the file in its place.
    body: {},
    key: file.upload,
    owner: file.owner ?? null,
    isAnonymous: !file.owner,
    begins: true,
    send: sending(file, signal, onProgress),
  });
