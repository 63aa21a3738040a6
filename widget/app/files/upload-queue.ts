import type { ApiFailure } from '../api/result.ts';
import { backoffMs } from '../browser/clock.ts';
import type { Models } from '../models.ts';
import type { Lock } from '../browser/page.ts';
import type { Blobs, StoredFile } from './blobs.ts';
import type { Upload } from './upload.ts';
import { type Attached, waiting } from './attached.ts';

/*
 * Uploads files that wait, each until the BFF has it or will never take it, and in one tab at a time. It knows the contents
 * and the uploads. Which files wait, and what becomes of an uploaded one, is the model's.
 */

/** How many are uploaded at once. */
const atOnce = 2;

interface QueueOptions {
  models: Pick<Models, 'api' | 'clock' | 'customer' | 'newKey' | 'session'>;
  lock: Lock;
  blobs: Blobs;
  upload: Upload;
  attached: Attached;
  /** Of the files that wait, the next one first. */
  keys: () => readonly string[];
  /** Whether the BFF has refused a message with this id of a file. */
  isRefused: (id: string) => boolean;
  /** A file was tried, whatever came of it. */
  onTried: () => void;
}

export function createUploadQueue({ models, lock, blobs, upload, attached, ...options }: QueueOptions) {
  const { api, clock, customer, newKey, session } = models;
  const { keys, isRefused, onTried } = options;
  const { fail, patch, stateOf, last } = attached;
  const owner = () => session.owner.peek() ?? null;
  const running = new Map<string, AbortController>();
  const attempts = new Map<string, number>();
  /** When a file that has failed is tried again. */
  const pauses = new Map<string, number>();
  let isRunning = false;
  /** The first file of a visitor begins their session. */
  let hasSession = false;
  let cancelWake = () => {};

  /** The next file to upload. */
  const due = () => keys().find((key) => !running.has(key) && (pauses.get(key) ?? 0) <= clock.now());

  async function transfer(key: string, abort: AbortController): Promise<void> {
    const stored = await blobs.read(key);
    if (!stored) return fail(key, 'lost');
    const whose = owner();
    // SECURITY: an id belongs to the owner whose session has uploaded it.
    const isOurs = stored.owner === undefined || stored.owner === whose;
    if (stored.id && isOurs && !isRefused(stored.id))
      return patch(key, { state: 'done', id: stored.id, share: 1, reason: null });
    const file: StoredFile = {
      ...stored,
      owner: whose,
      ...((stored.id ?? !isOurs) && { upload: newKey() }),
    };
    delete file.id;
    await blobs.write(file);
    if (abort.signal.aborted) return;
    patch(key, { state: 'uploading', share: 0 });
    const result = await upload(api, file, abort.signal, (share) => {
      // One may come after the answer.
      if (stateOf(key) === 'uploading') patch(key, { share });
    });
    if (abort.signal.aborted || owner() !== whose) return;
    if (!result.ok) return afterFailure(key, whose, result.error);
    const { id } = result.value;
    await blobs.write({ ...file, id });
    hasSession = true;
    attempts.delete(key);
    patch(key, { state: 'done', id, share: 1, reason: null });
    last.value = { done: 'uploaded', name: file.name };
  }

  function afterFailure(key: string, whose: string | null, error: ApiFailure): void {
    const { code, retryable, retryAfterSec } = error;
    const reason = code ?? 'network';
    if (!retryable && !(code === 'unauthenticated' && whose)) return fail(key, reason);
    const tries = (attempts.get(key) ?? 0) + 1;
    attempts.set(key, tries);
    patch(key, { state: 'waiting', share: 0, reason });
    pauses.set(key, clock.now() + Math.max(backoffMs(tries), retryAfterSec * 1000));
  }

  async function tryOnce(key: string): Promise<void> {
    const abort = new AbortController();
    running.set(key, abort);
    try {
      await transfer(key, abort);
    } finally {
      running.delete(key);
      if (stateOf(key) === 'uploading') patch(key, waiting);
      onTried();
    }
  }

  async function uploadDue(mayGoOn: () => boolean): Promise<void> {
    for (let key = due(); key !== undefined && mayGoOn(); key = due()) await tryOnce(key);
  }

  async function run(): Promise<void> {
    if (isRunning || due() === undefined) return;
    isRunning = true;
    cancelWake();
    try {
      await customer.identity.whenSettled();
      // In one tab at a time, so that another tab finds what this one has uploaded.
      await lock(async () => {
        await uploadDue(() => !hasSession && !session.isUsed.peek());
        await Promise.all(Array.from({ length: atOnce }, () => uploadDue(() => true)));
      }, 'files');
    } finally {
      isRunning = false;
      const times = keys().map((key) => pauses.get(key) ?? 0);
      const waitMs = Math.max(backoffMs(0), Math.min(...times) - clock.now());
      if (times.length > 0) cancelWake = clock.after(waitMs, () => void run());
    }
  }

  return {
    /** Uploads what waits and is not paused. */
    run: (): void => void run(),
    /** Ends the pause of one file, or of all, and uploads. */
    wake(key?: string): void {
      if (key === undefined) pauses.clear();
      else pauses.delete(key);
      void run();
    },
    /** The file is no longer attached. */
    forget(key: string): void {
      running.get(key)?.abort();
      attempts.delete(key);
    },
    /** SECURITY: another customer uses the browser, and uploads under way were the last one's. */
    abortAll(): void {
      hasSession = false;
      for (const each of running.values()) each.abort();
    },
  };
}
