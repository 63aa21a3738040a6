import type { Extra } from '../../core/extra.ts';
import { valuesOf } from '../../core/settings/settings.ts';
import { createAttach } from './attach.ts';
import { readLines } from './lines.ts';
import { createLinks } from './links.ts';
import { fileSettings } from './settings.ts';
import { fileSchema } from './tables.ts';

/**
 * Files with messages. v1 carries text only: the BFF keeps a file, and the text has its link. Files from before stay in
 * customers' data and in conversations where it is off.
 */
export const files: Extra = {
  name: 'files',
  settings: fileSettings,
  schema: fileSchema,
  create(core) {
    const {
      FILES,
      FILES_HOST: host = core.config.publicUrl,
      FILES_MAX_COUNT: maxCount,
    } = valuesOf(fileSettings, core.config.values);
    const links = createLinks(core, host);
    const { accept, attach, ofSends } = createAttach(core, { links, maxCount });
    return {
      filesIn: (lines) => readLines(lines, links),
      sendData: ofSends,
      ...(FILES === 'on' && {
        acceptFiles: accept,
        alsoRecord({ payload }, subjectId) {
          const ids = payload.files?.ids ?? [];
          if (ids.length === 0 || subjectId === null) return null;
          return (operationId, db) => attach(ids, subjectId, operationId, db);
        },
      }),
    };
  },
};
