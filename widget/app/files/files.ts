import { signal } from '@preact/signals';
import type { SiteFiles } from '../../../shared/contract/site.ts';
import { adoptStyles, tabLock } from '../browser/page.ts';
import type { Models } from '../models.ts';
import { createBlobs } from './blobs.ts';
import css from './files.css?inline';
import { createFilesModel } from './model.ts';
import { createSizes } from './sizes.ts';
import { upload } from './upload.ts';
import { fileViews, type LoadedFileViews } from './views.tsx';

/** Longer than any browser's time between two events of a drag. */
const dragEndsMs = 500;

export interface Files extends LoadedFileViews {
  /** Attaches files. `name`: of the draft on screen. */
  take: (name: string, files: readonly File[]) => void;
}

/**
 * Attaching files. `openDraft`: name of the draft whose field is on screen, to which files may be attached; null without one.
 */
export function createFiles(
  rules: SiteFiles,
  language: string,
  models: Models,
  openDraft: () => string | null,
): Files {
  adoptStyles(css);
  const model = createFilesModel({
    models,
    rules,
    lock: tabLock,
    blobs: createBlobs(),
    // Without that script a picture goes as it is.
    prepare: (bytes, name) =>
      import('./picture.ts').then(
        ({ prepare }) => prepare(bytes, name),
        () => ({ bytes, name, kind: null }),
      ),
    upload,
  });
  model.start();
  const isDropping = signal(false);
  let ends = 0;
  const end = () => {
    isDropping.value = false;
  };
  addEventListener('drop', end);
  // By time, since what says that a drag has left differs from browser to browser.
  addEventListener('dragover', ({ dataTransfer }) => {
    if (!dataTransfer?.types.includes('Files') || openDraft() === null) return;
    dataTransfer.dropEffect = 'copy';
    isDropping.value = true;
    clearTimeout(ends);
    ends = window.setTimeout(end, dragEndsMs);
  });
  return {
    ...fileViews({ model, rules, sizes: createSizes(language), isDropping }),
    take(name, files) {
      if (name === 'new') models.view.keepForm();
      model.add(name, files);
    },
  };
}
