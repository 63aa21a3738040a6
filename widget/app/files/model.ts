import { action, effect, signal, untracked } from '@preact/signals';
import type { FileRules } from '../../../shared/contract/files.ts';
import type { Models } from '../models.ts';
import { filesName } from '../new-ticket/drafts.ts';
import { type Send, textOf, waitsForFiles } from '../outbox/sends.ts';
import type { Lock } from '../browser/page.ts';
import { createAttached, type Reason, waiting } from './attached.ts';
import type { Blobs, StoredFile } from './blobs.ts';
import type { prepare as Prepare } from './picture.ts';
import { createUploadQueue } from './upload-queue.ts';
import type { Upload } from './upload.ts';

/*
 * The files that a customer attaches: from the choice of a file until its message has its id. The lists of files are in
 * the drafts and in the sends, so they are as their texts are: by owner, kept over a reload, moved and cleared with them.
 * `upload-queue.ts` uploads them. This module knows nothing of what is on screen.
 */

/** Why a file was not taken, or what the customer should know of it. */
interface Remark {
  about: 'tooLarge' | 'tooMany' | 'unreadable' | 'foreign';
  name: string;
}

/** Without what could change how the text around it reads. */
const cleanName = (name: string) =>
  name.normalize().replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '') || 'file';

interface FilesOptions {
  models: Pick<
    Models,
    'api' | 'clock' | 'customer' | 'drafts' | 'isOnline' | 'newKey' | 'outbox' | 'session' | 'storage'
  >;
  rules: FileRules;
  lock: Lock;
  blobs: Blobs;
  prepare: typeof Prepare;
  upload: Upload;
}

/** A larger picture is not read to be made smaller. */
const maxReadBytes = 100_000_000;
const minuteMs = 60_000;
/** Files of a draft that nobody has sent. */
const keptMs = 30 * 24 * 60 * minuteMs;
/** Another tab may have stored a file, and not yet the draft that names it. */
const namedWithinMs = 10 * minuteMs;

export function createFilesModel({ models, rules, lock, blobs, prepare, upload }: FilesOptions) {
  const { clock, drafts, isOnline, newKey, outbox, session, storage } = models;
  const attached = createAttached({ drafts, outbox });
  const { statuses, unkept, last, files: listed, patch, change, show } = attached;
  const remarks = signal<readonly Remark[]>([]);

  /** Removes the contents that no draft and no send of anybody names. */
  async function sweep(keys: readonly string[]) {
    drafts.flush();
    const names = [...storage.names('draft:'), ...storage.names('send:')];
    const texts = names.map((name) => JSON.stringify(storage.read(name)));
    for (const key of keys) if (!texts.some((text) => text.includes(key))) await blobs.remove(key);
  }

  /** The ids of the files of a send; null while one is missing. */
  function idsOf({ files = [], refused_ids = [] }: Send): string[] | null {
    const ids = files.map(({ key }) => statuses.peek()[key]?.id);
    return ids.every((id): id is string => id !== undefined && !refused_ids.includes(id)) ? ids : null;
  }

  /** Sends what has all of its files. */
  const deliver = action(() => {
    for (const send of outbox.sends.peek()) {
      const ids = waitsForFiles(send) && idsOf(send);
      if (ids) outbox.change(send.key, { payload: { ...send.payload, files: ids } as never, retry_at: 0 });
    }
  });

  /** Keys of files that wait for their upload. */
  const toUpload = () => {
    const held = new Set(
      outbox.sends.peek().flatMap((send) => (waitsForFiles(send) ? [] : (send.files ?? []))),
    );
    return listed
      .peek()
      .flatMap((file) => (attached.stateOf(file.key) === 'waiting' && !held.has(file) ? [file.key] : []));
  };

  const queue = createUploadQueue({
    models,
    lock,
    blobs,
    upload,
    attached,
    keys: toUpload,
    isRefused: (id) => outbox.sends.peek().some(({ refused_ids }) => refused_ids?.includes(id)),
    onTried: deliver,
  });

  /** From a chosen file to its stored content. It is in its list already, and can be removed or sent meanwhile. */
  async function takeIn(name: string, key: string, file: File): Promise<void> {
    const isListed = () => attached.find(key) !== undefined;
    const refuse = (about: Remark['about'], reason: Reason) => {
      if (!isListed()) return;
      const isInDraft = drafts
        .files(name)
        .peek()
        .some((each) => each.key === key);
      // "Send" was pressed meanwhile: the message says so, and waits.
      if (!isInDraft) return attached.fail(key, reason);
      remarks.value = [...remarks.peek(), { about, name: file.name }];
      change(key, null);
    };
    try {
      // At once: some programs change or remove a file while it is uploaded.
      const bytes = await file.arrayBuffer();
      if (bytes.byteLength === 0) return refuse('unreadable', 'lost');
      const made = await prepare(bytes, cleanName(file.name));
      if (!isListed()) return;
      if (made.bytes.byteLength > rules.maxBytes) return refuse('tooLarge', 'payload_too_large');
      if (made.isForeign) remarks.value = [...remarks.peek(), { about: 'foreign', name: file.name }];
      const { width, height, kind } = made;
      const stored: StoredFile = {
        key,
        bytes: made.bytes,
        picture: kind ? `image/${kind}` : '',
        name: made.name,
        at: clock.now(),
        upload: newKey(),
      };
      const isKept = await blobs.write(stored);
      // Removed meanwhile, or its owner has left.
      if (!isListed()) return void sweep([key]);
      action(() => {
        if (!isKept) attached.markUnkept(key);
        show(stored);
        change(key, {
          name: made.name,
          size: made.bytes.byteLength,
          ...(kind && width && height && { width, height }),
        });
        patch(key, waiting);
      })();
      queue.run();
    } catch {
      refuse('unreadable', 'lost');
    }
  }

  /** Statuses and pictures of files that are there since an earlier page, another tab or another owner. */
  async function find(keys: readonly string[]) {
    for (const key of keys) {
      const stored = await blobs.read(key);
      if (!stored) {
        const isSent = outbox.sends.peek().some(({ files }) => files?.some((file) => file.key === key));
        if (isSent) attached.fail(key, 'lost');
        // It was in memory only, as the customer was told.
        else change(key, null);
        continue;
      }
      show(stored);
      patch(key, waiting);
    }
    queue.run();
  }

  let known: readonly string[] = [];
  const wasUsed = { owner: session.owner.peek(), isUsed: session.isUsed.peek() };

  function start() {
    effect(() => {
      const now = listed.value.map(({ key }) => key);
      const gone = known.filter((key) => !now.includes(key));
      const added = now.filter((key) => !known.includes(key) && !statuses.peek()[key]);
      known = now;
      for (const key of gone) {
        queue.forget(key);
        attached.forget(key);
      }
      if (gone.length > 0) void sweep(gone);
      for (const key of added) patch(key, { ...waiting, state: 'reading' });
      if (added.length > 0) void find(added);
    });
    effect(() => {
      for (const { files = [], refused_ids } of outbox.sends.value)
        for (const { key } of files) {
          const { id } = statuses.peek()[key] ?? {};
          if (id && refused_ids?.includes(id)) {
            const { id: _old, ...others } = statuses.peek()[key]!;
            statuses.value = { ...statuses.peek(), [key]: { ...others, ...waiting } };
          }
        }
      untracked(deliver);
      untracked(queue.run);
    });
    effect(() => {
      if (isOnline.value) untracked(() => queue.wake());
    });
    effect(() => {
      const now = { owner: session.owner.value, isUsed: session.isUsed.value };
      const hasLeft = (wasUsed.owner && now.owner !== wasUsed.owner) || (wasUsed.isUsed && !now.isUsed);
      const isOther = now.owner !== wasUsed.owner;
      Object.assign(wasUsed, now);
      // SECURITY: ids and uploads were the last owner's.
      if (isOther) {
        queue.abortAll();
        for (const key of Object.keys(statuses.peek())) patch(key, { ...waiting, id: undefined });
        untracked(queue.run);
      }
      if (hasLeft) void blobs.before(clock.now()).then(sweep);
    });
    clock.after(5_000, () => {
      void blobs.before(clock.now() - namedWithinMs).then(sweep);
      void blobs.before(clock.now() - keptMs).then(async (old) => {
        for (const key of old) await blobs.remove(key);
      });
    });
  }

  return {
    statuses,
    remarks,
    last,
    unkept,
    /** Files of a draft. Those that are there are uploaded from now on. What was said is of another draft. */
    open: action((name: string) => {
      remarks.value = [];
      attached.open(name);
    }),
    /** Attaches files to a draft. Of which kind they are, the BFF says: Windows has names of its own for them. */
    add: action((name: string, files: readonly File[]) => {
      attached.open(name);
      const found: Remark[] = [];
      for (const file of files) {
        const now = drafts.files(name).peek();
        const isPicture = file.type.startsWith('image/');
        const tooLarge = file.size > (isPicture ? maxReadBytes : rules.maxBytes);
        if (tooLarge) found.push({ about: 'tooLarge', name: file.name });
        else if (now.length >= rules.maxCount) found.push({ about: 'tooMany', name: file.name });
        else {
          const key = newKey();
          patch(key, { ...waiting, state: 'reading' });
          const fileName = cleanName(file.name);
          drafts.write(filesName(name), [...now, { key, name: fileName, size: file.size }]);
          last.value = { done: 'added', name: fileName };
          void takeIn(name, key, file);
        }
      }
      remarks.value = found;
    }),
    remove: action((key: string) => {
      const name = attached.find(key)?.name;
      const emptied = outbox.sends
        .peek()
        .find((send) => send.files?.length === 1 && send.files[0]!.key === key && textOf(send) === '');
      if (emptied) outbox.discard(emptied.key);
      else change(key, null);
      remarks.value = [];
      if (name !== undefined) last.value = { done: 'removed', name };
    }),
    /** Tries a file again that has failed. */
    again: action((key: string) => {
      patch(key, waiting);
      queue.wake(key);
    }),
    start,
  };
}

export type FilesModel = ReturnType<typeof createFilesModel>;
