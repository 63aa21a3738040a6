import { action, computed, signal } from '@preact/signals';
import type { Models } from '../models.ts';
import { filesName } from '../new-ticket/drafts.ts';
import type { LocalFile } from '../outbox/sends.ts';
import type { StoredFile } from './blobs.ts';
import type { ErrorCode } from '../../../shared/contract/errors.ts';

/*
 * The files that this owner has in drafts on screen and in sends, with their states and pictures. It knows no contents and no
 * uploads.
 */

/** Why a file is not uploaded. `lost`: its content is not in this browser any more. */
export type Reason = ErrorCode | 'lost' | 'network';

export interface Status {
  state: 'reading' | 'waiting' | 'uploading' | 'done' | 'failed';
  /** From 0 to 1. */
  share: number;
  reason: Reason | null;
  /** The BFF's, once it has the file. */
  id?: string | undefined;
}

export const waiting: Status = { state: 'waiting', share: 0, reason: null };

/** What was done last, for screen readers. */
interface Event {
  done: 'added' | 'removed' | 'uploaded' | 'failed';
  name: string;
}

export function createAttached({ drafts, outbox }: Pick<Models, 'drafts' | 'outbox'>) {
  const statuses = signal<Readonly<Record<string, Status>>>({});
  /** Names of the drafts whose files are uploaded: those that were on screen. */
  const opened = signal<readonly string[]>(['new']);
  /** Keys of files that are in memory only. */
  const unkept = signal<ReadonlySet<string>>(new Set());
  const last = signal<Event | null>(null);

  /** Those of sends first. */
  const files = computed(() => [
    ...outbox.sends.value.flatMap((send) => send.files ?? []),
    ...opened.value.flatMap((name) => drafts.files(name).value),
  ]);

  const find = (key: string): LocalFile | undefined => files.peek().find((file) => file.key === key);

  function patch(key: string, change: Partial<Status>): void {
    statuses.value = {
      ...statuses.peek(),
      [key]: { ...(statuses.peek()[key] ?? waiting), ...change },
    };
  }

  return {
    statuses,
    unkept,
    last,
    files,
    find,
    patch,
    stateOf: (key: string) => statuses.peek()[key]?.state,

    open(name: string): void {
      if (!opened.peek().includes(name)) opened.value = [...opened.peek(), name];
    },

    /** It will not be tried again by itself. */
    fail(key: string, reason: Reason): void {
      patch(key, { state: 'failed', reason, share: 0 });
      const name = find(key)?.name;
      if (name !== undefined) last.value = { done: 'failed', name };
    },

    /** Changes a file, or removes it, wherever it is. */
    change: action((key: string, file: Partial<LocalFile> | null) => {
      const changed = (all: readonly LocalFile[]) =>
        all.flatMap((each) => (each.key === key ? (file ? [{ ...each, ...file }] : []) : [each]));
      for (const name of opened.peek()) {
        const ofDraft = drafts.files(name).peek();
        if (ofDraft.some((each) => each.key === key)) drafts.write(filesName(name), changed(ofDraft));
      }
      for (const send of outbox.sends.peek())
        if (send.files?.some((each) => each.key === key))
          outbox.change(send.key, { files: changed(send.files) });
    }),

    /** Shows it as a picture, if it is one. */
    show({ key, bytes, picture }: StoredFile): void {
      if (!picture || outbox.urls.peek()[key]) return;
      const url = URL.createObjectURL(new Blob([bytes], { type: picture }));
      outbox.urls.value = { ...outbox.urls.peek(), [key]: url };
    },

    markUnkept(key: string): void {
      unkept.value = new Set([...unkept.peek(), key]);
    },

    /** It is in no list any more. */
    forget(key: string): void {
      const { [key]: url, ...urls } = outbox.urls.peek();
      if (url) URL.revokeObjectURL(url);
      outbox.urls.value = urls;
      const { [key]: _status, ...others } = statuses.peek();
      statuses.value = others;
      if (unkept.peek().has(key)) unkept.value = new Set([...unkept.peek()].filter((each) => each !== key));
    },
  };
}

export type Attached = ReturnType<typeof createAttached>;
