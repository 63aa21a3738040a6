import { action, type Signal } from '@preact/signals';
import type { FileRules } from '../../../shared/contract/files.ts';
import type { Models } from '../models.ts';
import type { Attached } from './attached.ts';
import type { Blobs, StoredFile } from './blobs.ts';
import type { prepare as Prepare } from './picture.ts';
import { type Reason, waiting } from './upload-queue.ts';

/*
 * From a chosen file to its stored content. It knows no uploads. The file is in its list already, and can be removed or sent
 * meanwhile.
 */

/** Why a file was not taken, or what the customer should know of it. */
export interface Remark {
  about: 'tooLarge' | 'tooMany' | 'unreadable' | 'foreign';
  name: string;
}

/** Without what could change how the text around it reads. */
export const cleanName = (name: string) =>
  name.normalize().replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '') || 'file';

interface IntakeOptions {
  models: Pick<Models, 'clock' | 'drafts' | 'newKey'>;
  attached: Attached;
  rules: Pick<FileRules, 'maxBytes'>;
  blobs: Blobs;
  prepare: typeof Prepare;
  remarks: Signal<readonly Remark[]>;
  failFor: (key: string, reason: Reason) => void;
  /** Removes contents that nobody names. */
  sweep: (keys: readonly string[]) => Promise<void>;
  /** Uploads what waits. */
  run: () => void;
}

/** Returns the function that takes a file in. `name`: of the draft. `key`: of the file in its list. */
export function createIntake(options: IntakeOptions) {
  const { models, attached, rules, blobs, prepare, remarks, failFor, sweep, run } = options;
  const { clock, drafts, newKey } = models;

  return async (name: string, key: string, file: File): Promise<void> => {
    const isListed = () => attached.find(key) !== undefined;
    const refuse = (about: Remark['about'], reason: Reason) => {
      if (!isListed()) return;
      const isInDraft = drafts
        .files(name)
        .peek()
        .some((each) => each.key === key);
      // "Send" was pressed meanwhile: the message says so, and waits.
      if (!isInDraft) return failFor(key, reason);
      remarks.value = [...remarks.peek(), { about, name: file.name }];
      attached.change(key, null);
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
        attached.show(stored);
        attached.change(key, {
          name: made.name,
          size: made.bytes.byteLength,
          ...(kind && width && height && { width, height }),
        });
        attached.patch(key, waiting);
      })();
      run();
    } catch {
      refuse('unreadable', 'lost');
    }
  };
}
