import type { Extra } from '../../core/extra.ts';
import { valuesOf } from '../../core/settings/settings.ts';
import { sentencesOf } from '../../core/site/site.ts';
import { createAttach } from './attach.ts';
import { createBytes } from './bytes.ts';
import { fileChecks } from './checks.ts';
import { addFilesCommand } from './command.ts';
import { usualTypes } from './kinds.ts';
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
  folders: ['files'],
  checks: fileChecks,
  addCommand: addFilesCommand,
  create(core) {
    const values = valuesOf(fileSettings, core.config.values);
    const { FILES, FILES_HOST: host = core.config.publicUrl, FILES_MAX_COUNT: maxCount } = values;
    const links = createLinks(core, host);
    const { accept, attach, ofSends } = createAttach(core, { links, maxCount });
    return {
      ...createBytes(core, { values, links }),
      filesIn: (lines) => readLines(lines, links),
      sendData: ofSends,
      ...(FILES === 'on' && {
        acceptFiles: accept,
        site: (language) => ({
          files: {
            maxCount,
            maxBytes: values.FILES_MAX_BYTES,
            types: [...(values.FILES_TYPES ?? usualTypes)],
            sentences: sentencesOf(language).site.files,
          },
        }),
        alsoRecord({ payload }, subjectId) {
          const ids = payload.files?.ids ?? [];
          if (ids.length === 0 || subjectId === null) return null;
          return (operationId, db) => attach(ids, subjectId, operationId, db);
        },
      }),
    };
  },
};
